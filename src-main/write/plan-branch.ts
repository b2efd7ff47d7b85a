import type { BranchPlan, Format, PlannedFile, SessionView } from '#main/formats/format.ts'
import { readPieces } from '#main/platform/byte-pieces.ts'
import { Refusal } from '#shared/contract/refusal.ts'
import type { ReadFile } from '#shared/model/records.ts'

/** A new session file decided upon, not yet written. */
export interface PlannedBranch {
  readonly mode: 'new-file' | 'fork'
  readonly view: SessionView
  readonly format: Format
  readonly plan: BranchPlan
  /** Index of the entry at which it ends. */
  readonly end: number
  /** Tokens of the context at the new end. */
  readonly tokens: number
}

/** Index of the entry at which a branch before or after an entry ends. Refused as `not-resumable` before a first entry. */
export function branchEnd({ records, tree }: SessionView, at: number, position: 'before' | 'after'): number {
  if (position === 'after') return at
  const parent = tree.nodes[at]?.parent ?? -1
  if (parent >= 0) return parent
  const file = records.files[0].path
  const entry = tree.nodes[at]?.id ?? null
  throw new Refusal('not-resumable', `Nothing stands before ${entry}. Branch after it instead.`, { file, entry })
}

/** Decides what a branch will write. Refused as `unsupported` or, with the nearest entries that work, `not-resumable`. */
export async function planBranch(
  format: Format,
  view: SessionView,
  end: number,
  into: string | null
): Promise<BranchPlan> {
  if (!format.can.branch) throw cannot(format, view, 'Branches')
  requireBranchPoint(format, view, end)
  return format.planBranch(view, { at: end, now: new Date(), into })
}

/** Decides what a fork of the whole tree will write. Refused as `unsupported`, `not-resumable`. */
export async function planFork(format: Format, view: SessionView, into: string | null): Promise<BranchPlan> {
  if (format.planFork === undefined) throw cannot(format, view, 'Forks')
  return format.planFork(view, { now: new Date(), into })
}

/** Refused as `not-resumable`, with the nearest entries that work. */
export function requireBranchPoint(format: Format, view: SessionView, end: number): void {
  const point = format.branchPoint(view, end)
  if (point.kind === 'allowed') return
  const { reason, nearest } = point
  const file = view.records.files[0].path
  const entry = view.tree.nodes[end]?.id ?? null
  throw new Refusal('not-resumable', `No branch can end at ${entry}: ${reason}`, { file, entry, nearest })
}

export function cannot({ label }: Format, { records }: SessionView, what: string): Refusal {
  const file = records.files[0].path
  return new Refusal('unsupported', `${what} of ${label} sessions cannot be written.`, { file })
}

/** All lines of a new file. */
export function lineChunks({ pieces }: PlannedFile, { view }: PlannedBranch, signal?: AbortSignal) {
  return readPieces(pieces, view.open, signal)
}

/** All bytes of a new file. */
export function fileChunks(file: PlannedFile, branch: PlannedBranch, signal?: AbortSignal): AsyncIterable<Buffer> {
  const lines = lineChunks(file, branch, signal)
  if (file.framing === undefined) return lines
  const { encode, label } = branch.format
  if (encode === undefined) throw new Error(`${label} sessions cannot be written in frames`)
  return encode(lines)
}

/** The files that a branch is made of: the main one, and what it copies from. */
export function sourcesOf({ view, plan }: PlannedBranch): readonly ReadFile[] {
  const copied = new Set(
    plan.files.flatMap(({ pieces }) => pieces.flatMap((piece) => (piece.kind === 'copy' ? [piece.file] : [])))
  )
  return view.records.files.filter((_, file) => file === 0 || copied.has(file))
}
