export interface SecretCount {
  readonly kind: string
  readonly count: number
}

/** Behind no letter or digit, unless these belong to an escape such as `\n` in JSON. */
const start = String.raw`(?:(?<![A-Za-z0-9_-])|(?<=\\[nrtbf]))`

/** What keys and passwords look like; the first that fits wins. Bounded: each further character takes stack while it is matched. */
const looks = [
  ['Anthropic key', String.raw`${start}sk-ant-[A-Za-z0-9_-]{16,8192}`],
  ['OpenAI key', String.raw`${start}sk-(?:proj-|svcacct-|admin-)?[A-Za-z0-9_-]{20,8192}`],
  ['GitHub token', String.raw`${start}(?:gh[pousr]_[A-Za-z0-9]{20,8192}|github_pat_[A-Za-z0-9_]{20,8192})`],
  ['AWS access key', String.raw`${start}(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9])`],
  ['Stripe key', String.raw`${start}[sr]k_(?:live|test)_[A-Za-z0-9]{10,8192}`],
  ['Slack token', String.raw`${start}xox[abposr]-[A-Za-z0-9-]{10,8192}`],
  ['Google key', String.raw`${start}AIza[A-Za-z0-9_-]{30,8192}`],
  ['Private key', String.raw`-----BEGIN (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----`],
  ['JSON web token', String.raw`${start}eyJ[A-Za-z0-9_-]{10,8192}\.eyJ[A-Za-z0-9_-]{10,8192}\.[A-Za-z0-9_-]{10,8192}`]
] as const

const anySecret = new RegExp(looks.map(([, look]) => `(${look})`).join('|'), 'g')

/** How many of each kind were met. */
export class SecretTally {
  readonly #counts = looks.map(() => 0)

  add(index: number): void {
    this.#counts[index] = (this.#counts[index] ?? 0) + 1
  }

  list(): SecretCount[] {
    return looks.flatMap(([kind], index) => {
      const count = this.#counts[index] ?? 0
      return count === 0 ? [] : [{ kind, count }]
    })
  }
}

/** The text with `[redacted: kind]` in place of whatever looks like a secret, and each of them counted. */
export function redactText(text: string, tally: SecretTally): string {
  const parts: string[] = []
  let done = 0
  anySecret.lastIndex = 0
  for (let match = anySecret.exec(text); match !== null; match = anySecret.exec(text)) {
    const index = match.findIndex((group, at) => at > 0 && group !== undefined) - 1
    const kind = looks[index]?.[0] ?? ''
    tally.add(index)
    parts.push(text.slice(done, match.index), `[redacted: ${kind}]`)
    const end = match.index + match[0].length
    done = kind === 'Private key' ? endOfPrivateKey(text, end) : end
    anySecret.lastIndex = done
  }
  return done === 0 ? text : parts.join('') + text.slice(done)
}

/** An RSA key of 8192 bits takes 6.5 KB. */
const longestPrivateKey = 16_384
const lastLine = /-----END (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----/
const keyLines = /^(?:(?:\s|\\+[nr])*[A-Za-z0-9+/=]{20,})*(?:(?:\s|\\+[nr])+[A-Za-z0-9+/=]+(?=$|["'\\]))?/

/** Where a private key ends whose first line ends at `from`: behind its last line, else behind what of it is there. */
function endOfPrivateKey(text: string, from: number): number {
  const rest = text.slice(from, from + longestPrivateKey)
  const last = lastLine.exec(rest)
  return from + (last === null ? (keyLines.exec(rest)?.[0].length ?? 0) : last.index + last[0].length)
}
