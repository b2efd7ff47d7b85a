import { type Column, get, raise } from './column.ts'

/**
 * Where the lines run, row by row. Lane 0 is the current path's. In the pictures of the tests a row's parent p has up to
 * three sorts of children: the *straight* one goes on in p's lane; those before it hang on that same line, one lane to
 * the right; those after it hang on a *rail*, a line of its own to the right of all that the straight one needs.
 */
export interface Lanes {
  /** Lane of each row's node. */
  readonly lanes: Column
  /** How many lanes are in use. */
  readonly width: number
  readonly parents: Column
  readonly onPath: Uint8Array
  /** Child that goes on in its parent's lane, -1 for none. */
  readonly straight: Column
  /** Lane of the rail that begins at a row, -1 for none; the row's last child stands at its end. */
  readonly rails: Column
  /** Lines that pass each row: a linked list of cells. */
  readonly passing: Column
  readonly cells: Cells
}

/** A cell is a line's lane, the row that the line comes from, and the next cell (-1 at the end). */
interface Cells {
  readonly lanes: Column
  readonly owners: Column
  readonly next: Column
}

/** A stroke of a row's picture; `from` is the row whose line it is, `isPath` true where it joins two rows of the current path. */
export type Stroke = { readonly from: number; readonly isPath: boolean } & (
  | { readonly kind: 'through' | 'into' | 'out'; readonly lane: number }
  /** `below`: from the row's own node to the foot of lane `to`. `above`: from the head of lane `lane` to the node in lane `to`. */
  | { readonly kind: 'below' | 'above'; readonly lane: number; readonly to: number }
)

/**
 * Lays rows out. `parents` names for each row a row above it, or -1, depth first, so that each subtree is in one piece;
 * `onPath` is 1 for the rows of the current path.
 */
export function lanesOf(parents: Column, onPath: Uint8Array): Lanes {
  const count = parents.length
  const straight = new Int32Array(count).fill(-1)
  const last = new Int32Array(count).fill(-1)
  for (let row = 0; row < count; row++) {
    const parent = get(parents, row)
    if (parent < 0) continue
    last[parent] = row
    const isTaken = straight[parent] !== -1 && onPath[get(straight, parent)] === 1
    if (!isTaken) straight[parent] = row
  }
  const rails = railOffsets(parents, straight, last)
  const { lanes, width } = placeLanes(parents, onPath, straight, last, rails)
  const passing = new Int32Array(count).fill(-1)
  const cells = passLines(parents, straight, last, lanes, rails, passing)
  return { lanes, width, parents, onPath, straight, rails, passing, cells }
}

/** Strokes of one row, computed when it is drawn. */
export function strokesAt(layout: Lanes, row: number): readonly Stroke[] {
  const { cells, parents, straight, onPath } = layout
  const strokes: Stroke[] = []
  const isPath = (from: number, to: number): boolean => onPath[from] === 1 && onPath[to] === 1
  for (let cell = get(layout.passing, row); cell >= 0; cell = get(cells.next, cell)) {
    const from = get(cells.owners, cell)
    const lane = get(cells.lanes, cell)
    strokes.push({
      kind: 'through',
      lane,
      from,
      isPath: lane === layout.lanes[from] && isPath(from, get(straight, from))
    })
  }
  const lane = get(layout.lanes, row)
  const parent = get(parents, row)
  if (parent >= 0) {
    const trunk = row < get(straight, parent) ? get(layout.lanes, parent) : get(layout.rails, parent)
    if (row === straight[parent] || lane === trunk || row === parent + 1) {
      strokes.push({ kind: 'into', lane, from: parent, isPath: isPath(parent, row) })
    } else strokes.push({ kind: 'above', lane: trunk, to: lane, from: parent, isPath: false })
  }
  const next = get(straight, row)
  if (next < 0) return strokes
  strokes.push({ kind: 'out', lane, from: row, isPath: isPath(row, next) })
  if (next !== row + 1) strokes.push({ kind: 'below', lane, to: lane + 1, from: row, isPath: false })
  const rail = get(layout.rails, row)
  if (rail >= 0) strokes.push({ kind: 'below', lane, to: rail, from: row, isPath: false })
  return strokes
}

/** For each row with children after its straight one, how far to the right their rail must run; else -1. */
function railOffsets(parents: Column, straight: Column, last: Column): Column {
  const count = parents.length
  const rails = new Int32Array(count).fill(-1)
  const inside = new Int32Array(count).fill(1)
  const beyond = new Int32Array(count)
  for (let row = count - 1; row >= 0; row--) {
    const width = get(inside, row) + get(beyond, row)
    if (last[row] !== straight[row]) rails[row] = get(inside, row)
    const parent = get(parents, row)
    if (parent < 0) continue
    const middle = get(straight, parent)
    if (row === middle) raise(inside, parent, width)
    else if (row < middle) raise(inside, parent, width + 1)
    else raise(beyond, parent, row === last[parent] ? width : width + 1)
  }
  return rails
}

/** Turns the rails' offsets into lanes, in place, on the way down. */
function placeLanes(
  parents: Column,
  onPath: Uint8Array,
  straight: Column,
  last: Column,
  rails: Column
): { readonly lanes: Column; readonly width: number } {
  const lanes = new Int32Array(parents.length)
  const aside = onPath.includes(1) ? 1 : 0
  let width = 0
  for (let row = 0; row < parents.length; row++) {
    const parent = get(parents, row)
    let lane = onPath[row] === 1 ? 0 : aside
    if (parent >= 0) {
      if (row === straight[parent]) lane = get(lanes, parent)
      else if (row < get(straight, parent)) lane = get(lanes, parent) + 1
      else lane = get(rails, parent) + (row === last[parent] ? 0 : 1)
    }
    lanes[row] = lane
    if (get(rails, row) >= 0) rails[row] = get(rails, row) + lane
    width = Math.max(width, lane + 1, get(rails, row) + 1)
  }
  return { lanes, width }
}

/** Fills `passing`. Rows that the same lines pass share their cells, so a long chain costs nothing. */
function passLines(
  parents: Column,
  straight: Column,
  last: Column,
  lanes: Column,
  rails: Column,
  passing: Column
): Cells {
  const count = parents.length
  const cells = { lanes: new Int32Array(2 * count), owners: new Int32Array(2 * count), next: new Int32Array(2 * count) }
  const railCells = new Int32Array(count).fill(-1)
  const trunkCells = new Int32Array(count).fill(-1)
  let used = 0
  const cell = (lane: number, owner: number, next: number): number => {
    cells.lanes[used] = lane
    cells.owners[used] = owner
    cells.next[used] = next
    return used++
  }
  for (let row = 0; row < count; row++) {
    const parent = get(parents, row)
    if (parent >= 0) {
      const beside = get(railCells, parent) >= 0 ? get(railCells, parent) : get(passing, parent)
      if (row < get(straight, parent)) passing[row] = get(trunkCells, parent)
      else passing[row] = row === last[parent] ? get(passing, parent) : beside
    }
    const outside = get(passing, row)
    if (get(rails, row) >= 0) railCells[row] = cell(get(rails, row), row, outside)
    if (get(straight, row) > row + 1) {
      trunkCells[row] = cell(get(lanes, row), row, get(rails, row) >= 0 ? get(railCells, row) : outside)
    }
  }
  return cells
}
