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

  add(index: number, times = 1): void {
    this.#counts[index] = (this.#counts[index] ?? 0) + times
  }

  /** Adds what another one met, or with -1 takes it away. */
  addAll(other: SecretTally, sign: 1 | -1 = 1): void {
    other.#counts.forEach((count, index) => this.add(index, sign * count))
  }

  list(): SecretCount[] {
    return looks.flatMap(([kind], index) => {
      const count = this.#counts[index] ?? 0
      return count === 0 ? [] : [{ kind, count }]
    })
  }
}

interface FoundSecret {
  /** Index of its kind. */
  readonly index: number
  readonly start: number
  readonly end: number
}

/** The first secret that starts at `from` or behind it. */
function secretAt(text: string, from: number): FoundSecret | undefined {
  anySecret.lastIndex = from
  const match = anySecret.exec(text)
  if (match === null) return undefined
  const index = match.findIndex((group, at) => at > 0 && group !== undefined) - 1
  const end = match.index + match[0].length
  return { index, start: match.index, end: looks[index]?.[0] === 'Private key' ? endOfPrivateKey(text, end) : end }
}

/** The text with `[redacted: kind]` in place of whatever looks like a secret, and each of them counted. */
export function redactText(text: string, tally: SecretTally): string {
  const parts: string[] = []
  let done = 0
  for (let found = secretAt(text, 0); found !== undefined; found = secretAt(text, done)) {
    tally.add(found.index)
    parts.push(text.slice(done, found.start), `[redacted: ${looks[found.index]?.[0] ?? ''}]`)
    done = found.end
  }
  return done === 0 ? text : parts.join('') + text.slice(done)
}

/** A secret and all that decides where it ends is shorter: a token of three parts of 8192 characters, a private key of 16 KiB. */
const longestSecret = 2 ** 15
/** As far as a look goes back. */
const behind = 2

/** Counts in a text that comes in pieces what `redactText` replaces in the whole of it. */
export function countSecretsIn(pieces: Iterable<string>, tally: SecretTally): void {
  let text = ''
  let done = 0
  const countUpTo = (sure: number) => {
    for (let found = secretAt(text, done); found !== undefined && found.start < sure; found = secretAt(text, done)) {
      tally.add(found.index)
      done = found.end
    }
    done = Math.max(done, sure)
  }
  for (const piece of pieces) {
    const kept = Math.max(0, done - behind)
    text = text.slice(kept) + piece
    done -= kept
    countUpTo(text.length - longestSecret)
  }
  countUpTo(text.length)
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
