import { isAbsolute } from 'node:path'
import { Refusal } from '#shared/contract/refusal.ts'
import type { Json, JsonObject } from '#shared/model/records.ts'
import { asObject } from '../json.ts'
import { deepFreeze, snapshotJsonValue } from './json-value.ts'
import type { SessionHeader } from './session-events.ts'

/** The version of the logs that are made here. */
export const SESSION_FORMAT_VERSION = 0

const isCount = (value: Json): boolean => Number.isSafeInteger(value) && Number(value) >= 0
const isText = (value: Json): boolean => typeof value === 'string'

/** In the order in which dsh writes them. */
const members: readonly (readonly [name: keyof SessionHeader, isValid: (value: Json) => boolean, what: string])[] = [
  ['version', (value) => value === SESSION_FORMAT_VERSION, String(SESSION_FORMAT_VERSION)],
  ['id', isText, 'a text'],
  ['createdAt', isCount, 'a time in milliseconds'],
  ['cwd', (value) => typeof value === 'string' && isAbsolute(value), 'an absolute path'],
  ['parentSession', isText, 'a text'],
  ['seedLength', isCount, 'a number of events'],
  ['origin', (value) => value === 'subagent', '"subagent"'],
  ['delegationDepth', isCount, 'a number of levels'],
  ['agentPreset', isText, 'a text']
]
const required = 3

/** A header of its own, frozen, with the members that are known. Refused as `invalid-input` where it is not as it should be. */
export function sessionHeader(
  id: string,
  source: { readonly [member in keyof SessionHeader]?: unknown }
): SessionHeader {
  // A member that is undefined is as none.
  const given =
    asObject(source as Json) === null ? null : Object.entries(source).filter(([, value]) => value !== undefined)
  const stored = given === null ? null : asObject(snapshotJsonValue(Object.fromEntries(given)))
  if (stored === null) throw refused('it is no plain JSON object')
  const header: Record<string, Json> = {}
  for (const [at, [name, isValid, what]] of members.entries()) {
    const value = stored[name]
    if (value === undefined && at >= required) continue
    if (value === undefined || !isValid(value)) throw refused(`its ${name} is not ${what}`)
    header[name] = value
  }
  if (header['id'] !== id) throw refused(`its id is not that of the session, ${id}`)
  return deepFreeze(header as JsonObject as unknown as SessionHeader)
}

const refused = (why: string) => new Refusal('invalid-input', `The session's header is refused: ${why}.`)
