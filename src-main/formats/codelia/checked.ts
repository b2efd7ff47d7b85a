import { Refusal } from '#shared/contract/refusal.ts'

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const uuidV4 = /^.{14}4.{4}[89ab]/i
const utcTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/

/** Whether it is an object and no array. */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const isUuid = (value: unknown): value is string => typeof value === 'string' && uuid.test(value)

/** Refused as `invalid-input` where it is no UUID of version 4, as codelia makes them: an id names a file. */
export function requireNewId(value: unknown, name: string): void {
  if (!isUuid(value) || !uuidV4.test(value)) refuseInput(`${name} must be a UUID of version 4.`)
}

/** Refused as `invalid-input` where it is no time in ISO 8601, in UTC. */
export function requireTime(value: unknown, name: string): void {
  if (typeof value !== 'string' || !utcTime.test(value) || !isOnItsDay(value))
    refuseInput(`${name} must be a time in UTC such as 2026-02-03T12:34:56.789Z.`)
}

/** Whether its day is one of the calendar: of a 30th of February a later day is made. */
function isOnItsDay(utc: string): boolean {
  const time = Date.parse(utc)
  return !Number.isNaN(time) && new Date(time).toISOString().slice(0, 10) === utc.slice(0, 10)
}

/** As a line of JSON. Refused as `invalid-input` where it cannot be one. */
export function jsonLine(value: unknown): string {
  let text: string | undefined
  try {
    text = JSON.stringify(value)
  } catch (error) {
    return refuseInput(`It cannot be stored as JSON: ${String(error)}`)
  }
  return text === undefined ? refuseInput('It cannot be stored as JSON: it says so itself.') : `${text}\n`
}

export function refuseInput(message: string): never {
  throw new Refusal('invalid-input', message)
}
