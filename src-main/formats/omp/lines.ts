import { randomBytes } from 'node:crypto'
import type { JsonObject } from '#shared/model/records.ts'
import { type Dialect, newestVersion } from './schema.ts'

const slotSize = 256

/** Where an entry stands, in the order in which the agents write it. */
export interface EntryPlace {
  readonly id: string
  readonly parentId: string | null
  /** ISO 8601 UTC. */
  readonly timestamp: string
}

export const lineOf = (object: object): string => `${JSON.stringify(object)}\n`

export function headerOf(id: string, time: string, cwd: string | null, more: object = {}): JsonObject {
  return {
    type: 'session',
    version: newestVersion,
    id,
    timestamp: time,
    ...(cwd === null ? {} : { cwd }),
    ...more
  }
}

/** An entry with its members in natural order; those that are undefined are left out. */
export function entryOf(type: string, { id, parentId, timestamp }: EntryPlace, members: object): JsonObject {
  const own = Object.entries(members).filter(([, value]) => value !== undefined)
  return { type, id, parentId, timestamp, ...Object.fromEntries(own) }
}

/** Without a text the label is cleared. */
export function labelOf(place: EntryPlace, targetId: string, label: string | undefined): JsonObject {
  return entryOf('label', place, { targetId, label: label === '' ? undefined : label })
}

/** A summary of the branch that was left, below the entry from which another begins: pi names the old leaf, omp that entry. */
export function branchSummaryOf(
  place: EntryPlace,
  dialect: Dialect,
  oldLeaf: string | null,
  { summary, details, fromHook }: { readonly summary: string; readonly details?: unknown; readonly fromHook?: unknown }
): JsonObject {
  const fromId = (dialect === 'pi' ? oldLeaf : place.parentId) ?? 'root'
  return entryOf('branch_summary', place, { fromId, summary, details, fromHook })
}

/** An id as the agents make them, which is not taken yet. */
export function unusedId(isTaken: (id: string) => boolean): string {
  for (;;) {
    const id = randomBytes(4).toString('hex')
    if (!isTaken(id)) return id
  }
}

export const sessionFileName = (time: string, id: string): string => `${time.replace(/[:.]/g, '-')}_${id}.jsonl`

/** Exactly 256 bytes with the line feed, so that omp can overwrite it in place; a longer title is cut. */
export function titleLine(title: string, source: string | null, time: string): string {
  const characters = [...title]
  for (;;) {
    const line = (pad: string): string =>
      lineOf({
        type: 'title',
        v: 1,
        title: characters.join(''),
        ...(source === null ? {} : { source }),
        updatedAt: time,
        pad
      })
    const missing = slotSize - Buffer.byteLength(line(''))
    if (missing >= 0) return line(' '.repeat(missing))
    if (characters.length === 0) return titleLine(title, null, time)
    characters.length = Math.max(0, characters.length - Math.max(1, Math.ceil(-missing / 6)))
  }
}
