import type { EntryRecord } from '#shared/model/records.ts'
import type { Position } from '../format.ts'
import type { Run } from './assemble.ts'
import type { Links } from './links.ts'
import type { Facts } from './schema.ts'

/** Where an entry stands: in which run, in which invocation of it, in which step; a run is a turn. */
export function positions(
  entries: readonly EntryRecord[],
  runs: readonly Run[],
  { invocationOf }: Links
): (at: number) => Position {
  const turns = new Int32Array(entries.length)
  const steps = new Int32Array(entries.length)
  const invocations: (number | null)[] = []
  runs.forEach(({ from, to }, turn) => {
    let step = 0
    let invocation: number | null = null
    for (let at = from; at < to; at++) {
      const started = (entries[at]?.facts as Facts | undefined)?.step
      if (started !== undefined && started > 0) step = started
      invocation = invocationOf.get(at)?.seq ?? invocation
      turns[at] = turn + 1
      steps[at] = step
      invocations[at] = invocation
      if (started === 0) step = 0
    }
  })
  return (at) => {
    const turn = turns[at] ?? 0
    const step = steps[at] ?? 0
    return {
      turn: turn === 0 ? null : turn,
      step: step === 0 ? null : step,
      run: runs[turn - 1]?.id ?? null,
      invocation: invocations[at] ?? null
    }
  }
}
