import type { Json, JsonObject } from '#shared/model/records.ts'
import { asObject, asString } from '../json.ts'
import { integer } from './event.ts'

/** A row longer than this is not taken apart. */
const mostMembers = 2 ** 18

const deltas: Readonly<Record<string, readonly [type: string, list: string, text: string]>> = {
  'text-chunks': ['text-delta', 'texts', 'text'],
  'reasoning-chunks': ['reasoning-delta', 'texts', 'text'],
  'tool-call-chunks': ['tool-call-delta', 'args', 'argumentsDelta']
}

export interface PackedRow {
  /** Number of its first event. */
  readonly seq: number
  readonly members: number
  /** A member as the event that it stands for, counted from 0. */
  event(member: number): JsonObject
}

export const isPackedType = (type: Json | undefined): boolean => typeof type === 'string' && Object.hasOwn(deltas, type)

/** A row of several deltas (docs/formats/dsh.md, "Packed rows"); why it is none, where one of its members is wrong. */
export function packedRow(row: JsonObject): PackedRow | string {
  const [type = '', list = '', text = ''] = deltas[asString(row['type']) ?? ''] ?? []
  const data = asObject(row['data'])
  const seq = integer(row['seq0'])
  const time = integer(row['time0'])
  if (data === null || seq === null || seq < 0 || time === null || Object.keys(row).length !== 4) {
    return 'the members of the row are not those of a packed one'
  }
  const { turn = null, step = null, index = null, id, name, dt, [list]: stored, ...others } = data
  const isCall = type === 'tool-call-delta'
  const isNamed = isCall ? typeof id === 'string' : id === undefined && name === undefined
  const isPlaced = [turn, step, index].every((value) => integer(value) !== null)
  if (!isNamed || !isPlaced || (name !== undefined && typeof name !== 'string') || Object.keys(others).length > 0) {
    return 'the members of its data are not those of a packed row'
  }
  if (!isListOf(stored, 'string') || stored.length === 0) return 'it holds no deltas'
  if (stored.length > mostMembers) return `it holds more than ${mostMembers} deltas`
  if (!isListOf(dt, 'number') || dt.length !== stored.length - 1) return 'its times are not one less than its deltas'
  const times = [time]
  for (const passed of dt) times.push((times.at(-1) ?? time) + passed)
  return {
    seq,
    members: stored.length,
    event: (member) => ({
      type: 'assistant/chunk',
      seq: seq + member,
      time: times[member] ?? time,
      data: {
        turn,
        step,
        chunk: {
          type,
          index,
          ...(isCall && { id: id ?? null, ...(name !== undefined && { name }) }),
          [text]: stored[member] ?? ''
        }
      }
    })
  }
}

function isListOf<T extends 'string' | 'number'>(
  value: Json | undefined,
  type: T
): value is readonly (T extends 'string' ? string : number)[] & Json {
  return Array.isArray(value) && value.every((item) => typeof item === type)
}

/** The event that a record of a row is: the row itself, or its member. */
export function eventOf(row: JsonObject, part: number): JsonObject {
  if (!isPackedType(row['type']) || row['seq'] !== undefined) return row
  const packed = packedRow(row)
  return typeof packed === 'string' ? row : packed.event(part - 1)
}
