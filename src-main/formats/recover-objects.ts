import type { JsonObject } from '#shared/model/records.ts'
import { asObject } from './json.ts'
import { parseLine } from './parse-line.ts'

export interface FoundObject {
  readonly value: JsonObject
  /** True where long strings of a huge object were left out but for their beginnings. */
  readonly isCut: boolean
  /** Position in the line, end excluded. */
  readonly start: number
  readonly end: number
}

export interface Recovered {
  readonly objects: readonly FoundObject[]
  /** Ranges of the line that belong to no object, end excluded. */
  readonly lost: readonly (readonly [start: number, end: number])[]
}

const quote = 0x22
const backslash = 0x5c
const open = 0x7b
const close = 0x7d
/** A line of cut objects could be scanned from every one of them to its end; this keeps the work linear. */
const passes = 8

/** How an entry of a format is told from other objects in it: the bytes it begins with, and what it holds. */
export interface EntryShape {
  readonly start: Buffer
  readonly isLikely: (object: JsonObject) => boolean
}

/**
 * The whole objects in a line that is not one JSON value: glued ones, and those behind a torn one. Objects are found
 * by their braces, and behind a torn object only where an entry can begin, so that no content block passes for one.
 */
export function recoverObjects(line: Buffer, shape: EntryShape): Recovered {
  const objects: FoundObject[] = []
  const lost: (readonly [number, number])[] = []
  let budget = line.length * passes
  let at = skipBlanks(line, 0)
  let lostFrom = -1
  while (at < line.length && budget > 0) {
    const end = line[at] === open ? objectEnd(line, at) : -1
    budget -= (end === -1 ? line.length : end) - at
    const parsed = end === -1 ? undefined : parseLine(line.subarray(at, end))
    const value = parsed === undefined ? null : asObject(parsed.value)
    if (parsed !== undefined && value !== null && (lostFrom === -1 || shape.isLikely(value))) {
      if (lostFrom !== -1) lost.push([lostFrom, at])
      lostFrom = -1
      objects.push({ value, isCut: parsed.isCut, start: at, end })
      at = skipBlanks(line, end)
      continue
    }
    if (lostFrom === -1) lostFrom = at
    const next = line.indexOf(shape.start, at + 1)
    if (next === -1) break
    at = next
  }
  if (lostFrom === -1 && at < line.length) lostFrom = at
  if (lostFrom !== -1) lost.push([lostFrom, line.length])
  return { objects, lost }
}

function skipBlanks(line: Buffer, from: number): number {
  let at = from
  while (at < line.length && isBlank(line[at] ?? 0)) at++
  return at
}

export function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0d || byte === 0x0a
}

/** Behind the brace that closes the one at `start`, or -1. */
export function objectEnd(line: Buffer, start: number): number {
  let depth = 0
  let inString = false
  for (let at = start; at < line.length; at++) {
    const byte = line[at]
    if (inString) {
      if (byte === backslash) at++
      else if (byte === quote) inString = false
    } else if (byte === quote) inString = true
    else if (byte === open) depth++
    else if (byte === close) {
      depth--
      if (depth === 0) return at + 1
    }
  }
  return -1
}
