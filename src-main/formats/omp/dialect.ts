import type { SessionRecords } from '#shared/model/records.ts'
import { type Dialect, type State, stateFromJson } from './schema.ts'

export function stateOf(records: SessionRecords): State {
  return stateFromJson(records.files[0].state)
}

/** The agent that the person named, else omp where the file shows it (a title slot, a type of its own, its place), else pi. */
export function dialectOf(records: SessionRecords): Dialect {
  if (records.agent === 'omp' || records.agent === 'pi') return records.agent
  const state = stateOf(records)
  return state.slot !== null || state.omp || /[\\/]\.omp[\\/]/.test(records.files[0].path) ? 'omp' : 'pi'
}

/** Why the agent itself would load nothing of this file, in words; null where it loads it. */
export function notLoaded(records: SessionRecords, dialect: Dialect): string | null {
  const state = stateOf(records)
  if (state.header === null) return 'the file has no session header, so the agent loads nothing of it'
  if (dialect === 'pi' && state.bom) return 'the file begins with a byte order mark, so pi does not open it'
  if (dialect === 'pi' && state.slot !== null) return "the file begins with omp's title line, so pi does not open it"
  return null
}

/** 1 for a file whose entries form a chain without ids: by its header, else by its first entry. */
export function versionOf(records: SessionRecords): number {
  const header = stateOf(records).header
  if (header !== null) return header.version
  const first = records.entries[0]
  return first !== undefined && first.storedId === null && first.storedParent === undefined ? 1 : 3
}
