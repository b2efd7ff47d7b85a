import { hash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { countTokens } from './count-tokens.ts'

const wholeUpTo = 2 ** 20
const sampleBytes = 2 ** 18
const pieceLength = 2 ** 15
const rememberFrom = 512
const rememberAtMost = 50_000

export interface TokenEstimate {
  /** Tokens of the texts together; above 1 MiB scaled from the first 256 KiB. Lets other work run in between. */
  of(texts: readonly string[], signal?: AbortSignal): Promise<number>
}

/** Counts tokens and remembers the figures of longer texts by their hash, the latest 50,000 of them. */
export function tokenEstimate(): TokenEstimate {
  const remembered = new Map<string, number>()
  let sinceTurn = 0
  let tokenizer: { readonly countTokens: typeof countTokens } | undefined

  const count = async (text: string, signal?: AbortSignal): Promise<number> => {
    const name = text.length < rememberFrom ? null : hash('sha1', text, 'base64')
    const known = name === null ? undefined : remembered.get(name)
    if (known !== undefined) return known
    // Its table of 200,000 tokens is loaded when it is first needed.
    tokenizer ??= await import('./count-tokens.ts')
    let tokens = 0
    for (const piece of pieces(text)) {
      tokens += tokenizer.countTokens(piece)
      sinceTurn += piece.length
      if (sinceTurn < pieceLength) continue
      sinceTurn = 0
      await nextTurn()
      signal?.throwIfAborted()
    }
    if (name !== null) {
      remembered.set(name, tokens)
      if (remembered.size > rememberAtMost)
        for (const oldest of remembered.keys()) {
          remembered.delete(oldest)
          break
        }
    }
    return tokens
  }

  return {
    async of(texts, signal) {
      const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0)
      const counted = bytes > wholeUpTo ? firstBytes(texts, sampleBytes) : texts
      let tokens = 0
      for (const text of counted) tokens += await count(text, signal)
      return bytes > wholeUpTo ? Math.round((tokens * bytes) / sampleBytes) : tokens
    }
  }
}

/** Pieces of at most 32 Ki characters, cut where the tokenizer cuts too if there is such a place. */
function* pieces(text: string): Generator<string> {
  let from = 0
  while (from < text.length) {
    const end = Math.min(from + pieceLength, text.length)
    const cut = end < text.length ? cutBefore(text, from, end) : end
    yield text.slice(from, cut)
    from = cut
  }
}

/** Behind a line end, or before the space between two words. */
const tokenizerCut = /^(?:\n[^\s/]|\p{L} \p{L})/u

function cutBefore(text: string, from: number, end: number): number {
  for (let at = end; at > from; at--) {
    if (tokenizerCut.test(text.slice(at - 1, at + 2))) return at
  }
  return isHighSurrogate(text, end - 1) ? end - 1 : end
}

const isHighSurrogate = (text: string, at: number) => (text.charCodeAt(at) & 0xfc00) === 0xd800

function firstBytes(texts: readonly string[], limit: number): string[] {
  const taken: string[] = []
  let left = limit
  for (const text of texts) {
    if (left <= 0) break
    // A character is at least one byte, so the first `left` characters hold the first `left` bytes.
    const bytes = Buffer.from(text.slice(0, left)).subarray(0, left)
    taken.push(bytes.toString())
    left -= bytes.length
  }
  return taken
}
