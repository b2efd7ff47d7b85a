import type { Outline } from '#shared/model/entry.ts'
import { foldAt } from '#shared/tree/moves.ts'
import type { Rows } from '#shared/tree/rows.ts'

/** Ids of the entries with which a linear part begins that is long enough to be folded. */
export function linearParts(outline: Outline, rows: Rows): readonly string[] {
  const starts: string[] = []
  for (let row = 0; row < rows.count; row++) {
    const id = outline.ids[rows.entries[row] ?? -1]
    if (id !== undefined && foldAt(rows, row) === 'linear') starts.push(id)
  }
  return starts
}

/** Whether anything is folded; null where nothing is and nothing long enough could be. */
export function foldState(rows: Rows): boolean | null {
  if (rows.folded.includes(1)) return true
  for (let row = 0; row < rows.count; row++) if (foldAt(rows, row) === 'linear') return false
  return null
}
