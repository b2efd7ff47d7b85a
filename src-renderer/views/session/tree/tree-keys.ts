import { alongPath, foldAt, inwards, outwards, toBranchPoint, toSibling } from '#shared/tree/moves.ts'
import type { Rows } from '#shared/tree/rows.ts'

export interface KeyStroke {
  readonly key: string
  readonly altKey: boolean
  readonly ctrlKey: boolean
  readonly metaKey: boolean
}

export interface TreePlace {
  readonly rows: Rows
  /** 1 for the rows of the current path. */
  readonly onPath: Uint8Array
  /** The row that the keyboard is at, -1 for none. */
  readonly row: number
  /** Rows that fit into view. */
  readonly page: number
}

/** What a key asks for; a `select` of row -1 has nowhere to go. */
export type TreeMove = { readonly kind: 'select' | 'toggle'; readonly row: number } | { readonly kind: 'open' }

/** The move that a key stands for in the tree, null for a key that is not the tree's. */
export function moveFor(stroke: KeyStroke, place: TreePlace): TreeMove | null {
  const { rows, onPath, row } = place
  if (stroke.key === '[') return select(toBranchPoint(rows, row, -1))
  if (stroke.key === ']') return select(toBranchPoint(rows, row, 1))
  if (stroke.ctrlKey || stroke.metaKey) return null
  if (stroke.altKey) {
    switch (stroke.key) {
      case 'ArrowUp':
        return select(alongPath(rows, onPath, row, -1))
      case 'ArrowDown':
        return select(alongPath(rows, onPath, row, 1))
      case 'ArrowLeft':
        return select(toSibling(rows, row, -1))
      case 'ArrowRight':
        return select(toSibling(rows, row, 1))
      default:
        return null
    }
  }
  const last = rows.count - 1
  switch (stroke.key) {
    case 'ArrowUp':
      return select(row < 0 ? last : Math.max(0, row - 1))
    case 'ArrowDown':
      return select(Math.min(last, row + 1))
    case 'PageUp':
      return select(Math.max(0, row - place.page))
    case 'PageDown':
      return select(Math.min(last, row + place.page))
    case 'Home':
      return select(0)
    case 'End':
      return select(last)
    case 'ArrowRight':
      return row >= 0 && rows.folded[row] === 1 ? { kind: 'toggle', row } : select(inwards(rows, row))
    case 'ArrowLeft':
      return row >= 0 && folds(rows, row) ? { kind: 'toggle', row } : select(outwards(rows, row))
    case 'Enter':
      return row >= 0 && foldAt(rows, row) === 'rest' ? { kind: 'toggle', row } : { kind: 'open' }
    default:
      return null
  }
}

const select = (row: number): TreeMove => ({ kind: 'select', row })

/** True where something begins that is not folded yet. */
const folds = (rows: Rows, row: number): boolean => foldAt(rows, row) !== 'none' && rows.folded[row] === 0
