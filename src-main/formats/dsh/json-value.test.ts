import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { deepFreeze, isJsonValue, isSameJson, snapshotJsonValue } from './json-value.ts'

const withoutMinusZero = (value: unknown): unknown => JSON.parse(JSON.stringify(value) ?? 'null')
const json = fc.jsonValue().map(withoutMinusZero)

describe('a snapshot', () => {
  test('of any JSON value is equal to it and shares nothing with it', () => {
    fc.assert(
      fc.property(json, (value) => {
        const copy = snapshotJsonValue(value)
        expect(copy).toEqual(value)
        expect(JSON.stringify(copy)).toBe(JSON.stringify(value))
        if (typeof value === 'object' && value !== null) expect(copy).not.toBe(value)
        expect(isJsonValue(value)).toBe(true)
      })
    )
  })

  test('keeps members of any name, `__proto__` too', () => {
    const value: unknown = JSON.parse('{"__proto__":{"a":1},"constructor":2,"":3}')
    const copy = snapshotJsonValue(value)
    expect(JSON.stringify(copy)).toBe('{"__proto__":{"a":1},"constructor":2,"":3}')
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype)
  })

  test('of an object without a prototype is a plain one', () => {
    expect(snapshotJsonValue(Object.assign(Object.create(null), { a: 1 }))).toEqual({ a: 1 })
  })

  test('may be of a value from another realm', () => {
    const value: unknown = runInNewContext('({ a: [1, { b: null }] })')
    expect(Object.getPrototypeOf(value)).not.toBe(Object.prototype)
    expect(snapshotJsonValue(value)).toEqual({ a: [1, { b: null }] })
    expect(snapshotJsonValue(runInNewContext('new Map()'))).toBeUndefined()
  })

  test('reads every member once, so that a getter cannot give two values', () => {
    let reads = 0
    const value = {
      get count() {
        return ++reads
      }
    }
    expect(snapshotJsonValue(value)).toEqual({ count: 1 })
    expect(reads).toBe(1)
  })

  test('may hold the same object twice', () => {
    const shared = { a: [1] }
    expect(snapshotJsonValue([shared, shared])).toEqual([{ a: [1] }, { a: [1] }])
  })

  test('passes on what a getter throws', () => {
    const value = {
      inner: {
        get broken(): string {
          throw new Error('no value')
        }
      }
    }
    expect(() => snapshotJsonValue(value)).toThrow('no value')
    expect(() => isJsonValue(value)).toThrow('no value')
  })

  test('of a value that is nested a hundred thousand times can be taken', () => {
    let deep: unknown = 'end'
    for (let level = 0; level < 100_000; level++) deep = level % 2 === 0 ? [deep] : { deep }
    const copy = snapshotJsonValue(deep)
    expect(copy).toBeDefined()
    expect(isSameJson(copy ?? null, deep as never)).toBe(true)
    deepFreeze(copy)
  })
})

const withHole: unknown[] = []
withHole[2] = 1
const cyclic: unknown[] = []
cyclic.push({ cyclic })
const hidden = Object.defineProperty({}, 'hidden', { value: 1, enumerable: false })
const labelled = Object.assign([1], { label: 'a' })
class Point {
  readonly x = 1
}
const named = { Object: class extends Point {}, Array: class extends Array {} }

test.each<[string, unknown]>([
  ['-0, which JSON writes as 0', -0],
  ['NaN', Number.NaN],
  ['an infinite number', Number.POSITIVE_INFINITY],
  ['undefined', undefined],
  ['a bigint', 1n],
  ['a symbol', Symbol('a')],
  ['a function', () => 1],
  ['an undefined member', { a: undefined }],
  ['a list with a hole', withHole],
  ['a list with a hole and another member', Object.assign([...withHole].slice(0, 0), { length: 1, a: 1 })],
  ['a list with a member', labelled],
  ['a subclass of lists', new (class extends Array {})()],
  ['a subclass of lists that is called as they are', new named.Array()],
  ['a date', new Date(0)],
  ['a map', new Map()],
  ['an instance of a class', new Point()],
  ['an instance of a class that is called Object', new named.Object()],
  ['an object with a prototype of its own', Object.create({ a: 1 })],
  ['an object with a prototype that has none', Object.create(Object.create(null))],
  ['a member that is not enumerable', hidden],
  ['a member named by a symbol', { [Symbol('a')]: 1 }],
  ['a cycle', cyclic]
])('%s is no JSON value, nor is what holds it', (_, value) => {
  expect(snapshotJsonValue(value)).toBeUndefined()
  expect(isJsonValue(value)).toBe(false)
  expect(snapshotJsonValue({ deep: [value] })).toBeUndefined()
})

test('two JSON values are the same whatever the order of their members, and only then', () => {
  fc.assert(
    fc.property(json, json, (one, other) => {
      expect(isSameJson(one as never, structuredClone(one) as never)).toBe(true)
      expect(isSameJson(one as never, other as never)).toBe(sorted(one) === sorted(other))
    })
  )
  expect(isSameJson({ a: 1, b: [2] }, { b: [2], a: 1 })).toBe(true)
  expect(isSameJson([], {})).toBe(false)
  expect(isSameJson({ a: 1 }, { a: 1, b: 2 })).toBe(false)
})

function sorted(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part
  )
}

test('what is frozen is frozen all through', () => {
  const value = deepFreeze({ a: [{ b: 1 }] })
  expect(Object.isFrozen(value)).toBe(true)
  expect(Object.isFrozen(value.a)).toBe(true)
  expect(Object.isFrozen(value.a[0])).toBe(true)
})
