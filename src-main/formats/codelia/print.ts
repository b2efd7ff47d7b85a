import { hash } from 'node:crypto'
import type { Json, JsonObject } from '#shared/model/records.ts'
import { asList, asObject, asString } from '../json.ts'
import type { Print } from './schema.ts'

/** As much as is kept of the strings of a huge line. */
const mostCharacters = 4096

/** A hash of a value; of long strings only the beginning counts. "" for what is nested too deeply. */
export function printOf(value: Json | undefined): Print {
  try {
    const text = JSON.stringify(value ?? null, (_, own: unknown) =>
      typeof own === 'string' && own.length > mostCharacters ? own.slice(0, mostCharacters) : own
    )
    return hash('sha1', text, 'base64url').slice(0, 12)
  } catch {
    return ''
  }
}

/** What a message is known by wherever it is stored: who says it, what, and which calls it makes. */
export const messagePrint = (message: JsonObject): Print =>
  printOf([asString(message['role']), message['content'] ?? null, [...callIds(message)]])

/** What the message of a prompt is known by. */
export const promptPrint = (content: Json): Print => messagePrint({ role: 'user', content })

export const callIds = (message: JsonObject): readonly string[] =>
  asList(message['tool_calls']).map((call) => asString(asObject(call)?.['id']) ?? '')
