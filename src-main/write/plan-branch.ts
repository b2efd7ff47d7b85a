import type { BranchPlan, Format, SessionView } from '#main/formats/format.ts'
import { readPieces } from '#main/platform/byte-pieces.ts'
import { Refusal } from '#shared/contract/refusal.ts'

/** A branch decided upon, not yet written. */
export interface PlannedBranch {
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
  const file = view.records.files[0].path
  const entry = view.tree.nodes[end]?.id ?? null
  if (!format.can.branch) {
    throw new Refusal('unsupported', `Branches of ${format.label} sessions cannot be written.`, { file, entry })
  }
  const point = format.branchPoint(view, end)
  if (point.kind === 'refused') {
    const { reason, nearest } = point
    throw new Refusal('not-resumable', `No branch can end at ${entry}: ${reason}`, { file, entry, nearest })
  }
  return format.planBranch(view, { at: end, now: new Date(), into })
}

/** All bytes of the new file. */
export function branchChunks({ view, plan }: PlannedBranch, signal?: AbortSignal): AsyncIterable<Buffer> {
  return readPieces(plan.pieces, view.open, signal)
}
