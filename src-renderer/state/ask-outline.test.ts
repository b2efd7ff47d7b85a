import { expect, test } from 'vitest'
import type { Outline } from '#shared/model/entry.ts'
import type { SessionKey } from '#shared/model/keys.ts'
import { changeBehind, keptIn } from '#shared/tree/outline-change.ts'
import { askOutline } from './ask-outline.ts'
import type { EngineClient } from './client.ts'
import { positionsOf, treeOfOutline } from './outline-path.ts'

/** A chain of entries with these ids. */
const chain = (revision: number, ...ids: readonly string[]): Outline => ({
  revision,
  ids: [...ids],
  parents: ids.map((_, at) => at - 1),
  kinds: ids.map(() => 0),
  roles: ids.map(() => -1),
  roleNames: [],
  labels: [],
  notes: [],
  leaves: [{ id: ids.at(-1) ?? '', depth: ids.length, time: null }],
  defaultLeaf: { id: ids.at(-1) ?? null, reason: 'only-leaf' }
})

/** Asks an engine that has this outline, as one who holds another. */
async function asked(held: Outline | undefined, outline: Outline) {
  const inputs: object[] = []
  const arrived: number[] = []
  const none = { entries: 0, roleNames: 0, labels: 0, leaves: 0 }
  const client = {
    call: async (_: string, input: object) => {
      inputs.push(input)
      return changeBehind(outline, held === undefined ? none : keptIn(held, outline))
    }
  } as unknown as EngineClient
  const answer = await askOutline(
    client,
    's' as SessionKey,
    { held, leaf: null, onArrival: ({ revision }) => arrived.push(revision) },
    new AbortController().signal
  )
  return { answer, inputs, arrived }
}
const places = (outline: Outline) => ['a', 'b', 'c', 'd'].map((id) => positionsOf(outline).get(id))

test('who holds no outline gets the whole', async () => {
  const { answer, inputs, arrived } = await asked(undefined, chain(1, 'a', 'b'))
  expect([inputs, arrived]).toEqual([[{ session: 's' }], [1]])
  expect([answer, places(answer)]).toEqual([chain(1, 'a', 'b'), [0, 1, undefined, undefined]])
})

test('one that went on knows the places of what is new; the one before stays as it was', async () => {
  const { answer: before } = await asked(undefined, chain(1, 'a', 'b'))
  const { answer, inputs, arrived } = await asked(before, chain(2, 'a', 'b', 'c'))
  expect([inputs, arrived]).toEqual([[{ session: 's', since: 1 }], [2]])
  expect([answer, places(answer)]).toEqual([chain(2, 'a', 'b', 'c'), [0, 1, 2, undefined]])
  expect([positionsOf(before).has('c'), treeOfOutline(before).size]).toEqual([false, 2])
  expect(treeOfOutline(answer).size).toBe(3)
})

test('one that was cut, or gone on with otherwise, has its own places', async () => {
  const { answer: before } = await asked(undefined, chain(1, 'a', 'b'))
  await asked(before, chain(2, 'a', 'b', 'c'))
  expect(places((await asked(before, chain(3, 'a', 'b', 'd'))).answer)).toEqual([0, 1, undefined, 2])
  expect(places((await asked(before, chain(4, 'b', 'a'))).answer)).toEqual([1, 0, undefined, undefined])
  expect(places(before)).toEqual([0, 1, undefined, undefined])
})
