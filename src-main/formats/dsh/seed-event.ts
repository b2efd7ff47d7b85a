import type { Json, JsonObject } from '#shared/model/json.ts'
import { asObject, asString } from '../json.ts'
import { requestHeaderFault } from './request-header.ts'

const envelope: ReadonlySet<string> = new Set([
  'type',
  'seq',
  'time',
  'data',
  'surfaceOp',
  'sourceEventSeqs',
  'ignorable'
])

/** Why a stored value is no event of the current format at a place of a log, null where it is one. The surface is not looked at. */
export function seedEventFault(value: Json, seq: number): string | null {
  const event = asObject(value)
  if (event === null) return 'it is no object'
  const { type, data, ignorable } = event
  const unknown = Object.keys(event).find((name) => !envelope.has(name))
  if (unknown !== undefined) return `events have no member ${unknown}`
  if (typeof type !== 'string' || type === '') return 'it has no type'
  if (event['seq'] !== seq) return `its seq is ${JSON.stringify(event['seq'])}, but events are numbered without a gap`
  if (!Number.isSafeInteger(event['time'])) return 'it has no time in milliseconds'
  if (data === undefined) return 'it has no data'
  if (ignorable !== undefined && ignorable !== true) return 'ignorable is true or not there'
  return requestHeaderFault({ type, data }) ?? providerFault(type, asObject(data))
}

/** Requests and answers say which model they went to and come from. */
function providerFault(type: string, data: JsonObject | null): string | null {
  if (type === 'request/header') {
    return namesModel(asObject(asObject(data?.['header'])?.['config']))
      ? null
      : 'its config names no provider and model'
  }
  if (type !== 'assistant/message') return null
  const source = asObject(asObject(data?.['message'])?.['source']) ?? asObject(data?.['provenance'])
  return namesModel(source) ? null : 'its source names no provider and model'
}

const namesModel = (value: JsonObject | null): boolean =>
  (asString(value?.['provider']) ?? '') !== '' && (asString(value?.['model']) ?? '') !== ''
