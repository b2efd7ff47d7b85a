import { diffLines } from 'diff'
import type { TextDiff } from '#shared/contract/context.ts'

const timeout = 500
const longestText = 2 ** 20
const mostCharacters = 65_536

/** How one text became another, line by line. Gives up after half a second, and on texts over 1 Mi characters. */
export function diffTexts(before: string, after: string): TextDiff {
  if (before.length > longestText || after.length > longestText) return { kind: 'too-different' }
  const changes = diffLines(before, after, { timeout })
  if (changes === undefined) return { kind: 'too-different' }
  let left = mostCharacters
  const parts: Extract<TextDiff, { kind: 'parts' }>['parts'] = []
  for (const { value, added, removed } of changes) {
    if (left <= 0) break
    parts.push({ change: added ? 'added' : removed ? 'removed' : 'same', text: value.slice(0, left).toWellFormed() })
    left -= value.length
  }
  return { kind: 'parts', parts, isCut: left < 0 || parts.length < changes.length }
}
