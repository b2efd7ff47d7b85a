import type { EntryRecord } from '#shared/model/records.ts'
import type { Facts, Print } from './schema.ts'

/** What a message is known by, wherever it is stored: a result by its call, any other by what it says. */
export const messageName = (role: string, print: Print, call: string): string =>
  role === 'tool' ? `tool ${call}` : print

/** Where the entries of runs lie, in order, that the messages of these names come from. */
export function placesOf(entries: readonly EntryRecord[]): ReadonlyMap<string, number[]> {
  const places = new Map<string, number[]>()
  for (const [at, entry] of entries.entries()) {
    for (const name of namesIn(entry)) {
      const known = places.get(name)
      if (known === undefined) places.set(name, [at])
      else known.push(at)
    }
  }
  return places
}

function namesIn({ kind, facts }: EntryRecord): readonly string[] {
  const { prints = [], bare = [], call, command } = facts as Facts
  switch (kind) {
    case 'message':
      return command === true ? [] : prints
    case 'response':
      return [...bare, ...prints]
    case 'tool-result':
      return call === undefined ? [] : [messageName('tool', '', call)]
    default:
      return []
  }
}
