import { countTokens as countPiece } from 'gpt-tokenizer/encoding/o200k_base'

/** Text that looks like one of the tokenizer's own marks is text like any other. */
const asText = { disallowedSpecial: new Set<string>() }

/** The tokenizer takes the square of an unbroken run's length, so a longer run is counted in parts. */
const longestRun = 128
const longRun = /[\p{L}\p{M}]{128}|\s{128}|[^\s\p{L}\p{N}]{128}/gu

/** Tokens of a text in o200k_base; exact but for unbroken runs over 128 characters, which may come out a token higher for each 128. */
export function countTokens(text: string): number {
  if (text.length < longestRun) return countPiece(text, asText)
  let tokens = 0
  let from = 0
  for (const run of text.matchAll(longRun)) {
    const to = run.index + run[0].length
    tokens += countPiece(text.slice(from, to), asText)
    from = to
  }
  return tokens + countPiece(text.slice(from), asText)
}
