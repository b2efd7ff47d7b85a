import type { Json } from '#shared/model/json.ts'

type Target =
  | { readonly kind: 'root' }
  | { readonly kind: 'item'; readonly list: Json[]; readonly index: number }
  | { readonly kind: 'member'; readonly object: object; readonly name: string }

type Step =
  | { readonly kind: 'value'; readonly read: () => unknown; readonly target: Target }
  | { readonly kind: 'leave'; readonly source: object }

/** Whether a value is JSON without loss: what `snapshotJsonValue` takes. */
export function isJsonValue(value: unknown): value is Json {
  return snapshotJsonValue(value) !== undefined
}

/**
 * A copy of a JSON value, each of its members read once; undefined where it is none: a number that JSON cannot hold (not
 * finite, -0), a hole in a list, an object that is neither plain nor without a prototype, a cycle. What a getter throws
 * is thrown. Never recursive.
 */
export function snapshotJsonValue(value: unknown): Json | undefined {
  let root: Json | undefined
  const put = (target: Target, copy: Json): void => {
    switch (target.kind) {
      case 'root':
        root = copy
        break
      case 'item':
        target.list[target.index] = copy
        break
      case 'member':
        // Not by assignment, which for `__proto__` would set the prototype.
        Object.defineProperty(target.object, target.name, {
          value: copy,
          enumerable: true,
          configurable: true,
          writable: true
        })
    }
  }
  const open = new Set<object>()
  const steps: Step[] = [{ kind: 'value', read: () => value, target: { kind: 'root' } }]
  for (let step = steps.pop(); step !== undefined; step = steps.pop()) {
    if (step.kind === 'leave') {
      open.delete(step.source)
      continue
    }
    const current = step.read()
    if (isScalar(current)) {
      put(step.target, current)
      continue
    }
    if (typeof current !== 'object' || current === null || open.has(current)) return undefined
    const names = memberNames(current)
    if (names === undefined) return undefined
    open.add(current)
    steps.push({ kind: 'leave', source: current })
    const copy = Array.isArray(current) ? [] : {}
    put(step.target, copy)
    // The last is pushed first, so that members are read in their order.
    for (const name of names.toReversed()) {
      const target: Target = Array.isArray(copy)
        ? { kind: 'item', list: copy, index: Number(name) }
        : { kind: 'member', object: copy, name }
      steps.push({ kind: 'value', read: () => (current as Record<string, unknown>)[name], target })
    }
  }
  return root
}

function isScalar(value: unknown): value is string | number | boolean | null {
  if (typeof value === 'number') return Number.isFinite(value) && !Object.is(value, -0)
  return value === null || typeof value === 'string' || typeof value === 'boolean'
}

/** Names of an object's members, or a list's indexes; undefined where JSON would lose one, or it is no plain object or list. */
function memberNames(value: object): readonly string[] | undefined {
  const prototype = Object.getPrototypeOf(value) as object | null
  const keys = Reflect.ownKeys(value)
  if (Array.isArray(value)) {
    // `length` is the one more. Indexes come first, so the last name is the last index or no index at all.
    // The prototype of lists is a list itself, that of a class of lists is not.
    if (!isIntrinsic(prototype, 'Array') || !Array.isArray(prototype)) return undefined
    if (keys.length !== value.length + 1) return undefined
    const names = Object.keys(value)
    return names.length === value.length && (names.at(-1) ?? '-1') === String(value.length - 1) ? names : undefined
  }
  const isPlain = isIntrinsic(prototype, 'Object') && Object.getPrototypeOf(prototype) === null
  if (!isPlain && prototype !== null) return undefined
  const names = Object.keys(value)
  return names.length === keys.length ? names : undefined
}

/** Whether it is the prototype of that built-in class, in this realm or in another. */
function isIntrinsic(prototype: object | null, name: 'Array' | 'Object'): boolean {
  if (prototype === null) return false
  const maker: unknown = Object.getOwnPropertyDescriptor(prototype, 'constructor')?.value
  return typeof maker === 'function' && maker.name === name && maker.prototype === prototype
}

/** Whether two JSON values are the same, whatever the order of members. Never recursive. */
export function isSameJson(one: Json, other: Json): boolean {
  const pairs: [Json | undefined, Json | undefined][] = [[one, other]]
  for (let pair = pairs.pop(); pair !== undefined; pair = pairs.pop()) {
    const [a, b] = pair
    if (a === b) continue
    if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
    if (Array.isArray(a) !== Array.isArray(b)) return false
    const names = Object.keys(a)
    if (names.length !== Object.keys(b).length) return false
    const [left, right] = [a, b] as [Record<string, Json>, Record<string, Json>]
    for (const name of names) {
      if (!Object.hasOwn(right, name)) return false
      pairs.push([left[name], right[name]])
    }
  }
  return true
}

/** Freezes a JSON value with all that is in it. Never recursive. */
export function deepFreeze<T>(value: T): T {
  const waiting: unknown[] = [value]
  for (let current = waiting.pop(); current !== undefined; current = waiting.pop()) {
    if (typeof current !== 'object' || current === null) continue
    Object.freeze(current)
    for (const member of Object.values(current)) waiting.push(member)
  }
  return value
}
