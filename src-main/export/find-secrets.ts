import { setImmediate as nextTurn } from 'node:timers/promises'

export interface SecretCount {
  readonly kind: string
  readonly count: number
}

/** Behind no letter or digit, unless these belong to an escape such as `\n` in JSON. */
const start = String.raw`(?:(?<![A-Za-z0-9_-])|(?<=\\[nrtbf]))`

/** What keys and passwords look like; the first that fits wins. */
const looks = [
  ['Anthropic key', String.raw`${start}sk-ant-[A-Za-z0-9_-]{16,}`],
  ['OpenAI key', String.raw`${start}sk-(?:proj-|svcacct-|admin-)?[A-Za-z0-9_-]{20,}`],
  ['GitHub token', String.raw`${start}(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,})`],
  ['AWS access key', String.raw`${start}(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9])`],
  ['Stripe key', String.raw`${start}[sr]k_(?:live|test)_[A-Za-z0-9]{10,}`],
  ['Slack token', String.raw`${start}xox[abposr]-[A-Za-z0-9-]{10,}`],
  ['Google key', String.raw`${start}AIza[A-Za-z0-9_-]{30,}`],
  ['Private key', String.raw`-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----`],
  ['JSON web token', String.raw`${start}eyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}`]
] as const

const anySecret = new RegExp(looks.map(([, look]) => `(${look})`).join('|'), 'g')

/** A match may reach this far over the border of two chunks. */
const overlap = 4096

/** Counts what looks like a secret, by kind, in bounded memory. Each is counted once, where it begins. */
export async function findSecrets(chunks: AsyncIterable<Buffer>, signal?: AbortSignal): Promise<SecretCount[]> {
  const counts = looks.map(() => 0)
  let text = ''
  /** Where in `text` what was not searched yet begins; before it stands what a match may look back at. */
  let from = 0

  const search = (upTo: number) => {
    anySecret.lastIndex = from
    for (let match = anySecret.exec(text); match !== null && match.index < upTo; match = anySecret.exec(text)) {
      const kind = match.findIndex((group, index) => index > 0 && group !== undefined) - 1
      counts[kind] = (counts[kind] ?? 0) + 1
      from = match.index + match[0].length
    }
    from = Math.max(from, upTo)
  }

  for await (const chunk of chunks) {
    signal?.throwIfAborted()
    text += chunk.toString('latin1')
    if (text.length < 2 * overlap) continue
    search(text.length - overlap)
    const cut = Math.min(from, text.length) - 2
    text = text.slice(cut)
    from -= cut
    await nextTurn()
  }
  search(text.length)
  return looks.flatMap(([kind], index) => {
    const count = counts[index] ?? 0
    return count === 0 ? [] : [{ kind, count }]
  })
}
