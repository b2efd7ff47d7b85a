import type { JsonObject } from '#shared/model/records.ts'
import type { SessionView } from '../format.ts'
import { stateOf } from './dialect.ts'
import { headerOf, lineOf, titleLine } from './lines.ts'
import type { Dialect, Facts } from './schema.ts'

/** What stands in front of the entries of a new file: omp's title line, then the header, which ends with `lineage`. */
export function opening(
  view: SessionView,
  dialect: Dialect,
  { sessionId, time }: { readonly sessionId: string; readonly time: string },
  lineage: JsonObject
): string {
  const state = stateOf(view.records)
  const cwd = state.header?.cwd ?? null
  if (dialect === 'pi') return lineOf(headerOf(sessionId, time, cwd, lineage))
  const title = storedTitle(view)
  const source = state.slot?.source ?? null
  const named = title === '' ? {} : { title, ...(source === null ? {} : { titleSource: source }) }
  return titleLine(title, source, time) + lineOf(headerOf(sessionId, time, cwd, { ...named, ...lineage }))
}

/** The title that was given, not one that we make of a message. */
function storedTitle(view: SessionView): string {
  const state = stateOf(view.records)
  if (state.slot !== null && state.slot.title !== '') return state.slot.title
  const named = view.records.entries.findLast((entry) => entry.kind === 'session-info')
  return named === undefined ? (state.header?.title ?? '') : ((named.facts as Facts).name ?? '')
}
