import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { handOnPlaces, placeOf } from './entry-places.ts'

const nodesOf = (ids: readonly string[]) => ids.map((id, at) => ({ id, parent: at - 1, label: null }))

test('every revision finds its own entries and no others, whatever it hands on to the next', () => {
  const names = fc.constantFrom(...'abcdefgh')
  const growth = fc.record({ kept: fc.nat({ max: 8 }), added: fc.uniqueArray(names), isAsked: fc.boolean() })
  fc.assert(
    fc.property(fc.array(growth), (growths) => {
      const revisions = [nodesOf([])]
      for (const { kept, added, isAsked } of growths) {
        const before = revisions.at(-1)!
        if (isAsked) placeOf(before, 'a')
        const start = before.slice(0, kept)
        const after = [...start, ...nodesOf(added.filter((id) => start.every((node) => node.id !== id)))]
        handOnPlaces(before, after)
        revisions.push(after)
      }
      const latest = revisions.at(-1)!
      for (const id of 'abcdefghi') {
        const place = latest.findIndex((node) => node.id === id)
        expect(placeOf(latest, id)).toBe(place < 0 ? undefined : place)
      }
    })
  )
})

test('an earlier revision does not find what a later one has', () => {
  const [one, two] = [nodesOf(['a']), nodesOf(['a', 'b'])]
  expect(placeOf(one, 'a')).toBe(0)
  handOnPlaces(one, two)
  expect([placeOf(one, 'b'), placeOf(two, 'b'), placeOf(two, 'a')]).toEqual([undefined, 1, 0])
})
