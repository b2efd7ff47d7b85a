import type { Json, JsonObject } from '#shared/model/json.ts'
import { asList, asObject, asString } from '../json.ts'
import { foldSurface, type StoredEvent } from './surface.ts'

/**
 * The message that an event gives the model (docs/formats/dsh.md, "Surface"); null for an event of another kind, an answer,
 * a system prompt or a developer's message that says nothing. `id` is for a message that has none, as in the first v0 logs.
 */
export function deriveEventMessage({ type, data: stored }: StoredEvent, id?: string): JsonObject | null {
  const data = asObject(stored as Json)
  if (data === null) return null
  const message = asObject(data['message'])
  switch (type) {
    case 'user/message':
      return withId(data['role'] === undefined ? { role: 'user', ...data } : data, id)
    case 'context/message':
      return withId({ role: 'user', content: data['content'] ?? [] }, id)
    case 'steering/message':
      return withId(message ?? { role: 'user', content: data['content'] ?? [], ...sourceOf(data) }, id)
    case 'assistant/message':
      return withContent(message ?? oldAnswer(data), id)
    case 'tool/result':
      return withId(message ?? oldResult(data), id)
    case 'system/message':
    case 'developer/message':
      return withContent(message, id)
    default:
      return null
  }
}

/** The conversation of a whole log as messages. Refused as `invalid-input` where the log breaks a rule of the surface. */
export function deriveMessages(events: readonly StoredEvent[], version = 0): readonly JsonObject[] {
  return foldSurface(events, version).nodes.flatMap((seq) => {
    const event = events[seq]
    const message = event === undefined ? null : deriveEventMessage(event)
    return message === null ? [] : [message]
  })
}

const withContent = (message: JsonObject | null, id: string | undefined) =>
  message === null || asList(message['content']).length === 0 ? null : withId(message, id)

const withId = (message: JsonObject, id: string | undefined): JsonObject =>
  id === undefined || message['id'] !== undefined ? message : { id, ...message }

const sourceOf = (data: JsonObject): JsonObject => (data['source'] === undefined ? {} : { source: data['source'] })

function oldAnswer(data: JsonObject): JsonObject {
  const provenance = asObject(data['provenance'])
  const source: Json = { ...provenance, kind: 'model' }
  return { role: 'assistant', content: data['content'] ?? [], ...(provenance === null ? {} : { source }) }
}

function oldResult(data: JsonObject): JsonObject {
  const callId = asString(data['callId']) ?? ''
  const isError = data['isError'] === undefined ? {} : { isError: data['isError'] }
  const block = { type: 'tool-result', toolCallId: callId, content: data['content'] ?? [], ...isError }
  return { role: 'user', source: { kind: 'tool', callId }, content: [block] }
}
