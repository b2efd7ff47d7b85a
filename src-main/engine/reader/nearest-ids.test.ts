import fc from 'fast-check'
import { expect, test } from 'vitest'
import { nearestIds } from './nearest-ids.ts'

test('what begins with the id comes first, then what differs by few letters, three at most', () => {
  const ids = ['1a2b3c4f', '1a2b3c4d-5', 'ffffffff', '1a2b3c4', '1a2c3c4d', '1a2b3cdd']
  expect(nearestIds(ids, '1a2b3c4d')).toEqual(['1a2b3c4d-5', '1a2b3c4f', '1a2b3c4'])
  expect(nearestIds(ids, 'fffffff')).toEqual(['ffffffff'])
  expect(nearestIds(['L11', 'L12', 'L2', 'L120'], 'L1')).toEqual(['L11', 'L12', 'L120'])
})

test('nothing is near an empty, a long or a wholly other id', () => {
  expect(nearestIds(['a', 'b'], '')).toEqual([])
  expect(nearestIds(['x'.repeat(200)], 'x'.repeat(199))).toEqual([])
  expect(nearestIds(['1a2b3c4d'], 'walrus')).toEqual([])
})

test('an id with one letter changed, left out or put in is found', () => {
  const id = fc.string({ minLength: 4, maxLength: 36 })
  fc.assert(
    fc.property(id, fc.nat(), fc.constantFrom('', '#', 'both'), (whole, place, change) => {
      const at = place % whole.length
      const typed =
        change === 'both'
          ? `${whole.slice(0, at)}#${whole.slice(at)}`
          : whole.slice(0, at) + change + whole.slice(at + 1)
      expect(nearestIds(['\u0001\u0002\u0003\u0004\u0005\u0006', whole], typed)).toContain(whole)
    })
  )
})
