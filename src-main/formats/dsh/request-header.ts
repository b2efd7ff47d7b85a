import { Refusal } from '#shared/contract/refusal.ts'
import type { Json, JsonObject } from '#shared/model/json.ts'
import { asList, asObject } from '../json.ts'

/** What of an event a request's header is read from. */
export interface HeaderEvent {
  readonly type: string
  readonly data?: unknown
}

/** What a request is made of beside its history. */
export interface RequestHeader {
  readonly config: JsonObject
  readonly adapterDefaults?: JsonObject
  /** The system prompt; from v3 on it is in the log. */
  readonly system?: Json
  readonly tools?: readonly Json[]
  /** Messages that stand before the history and are no part of it. */
  readonly messagePrefix?: readonly Json[]
}

/**
 * The header in force behind a log's last event, or behind more of it than `from`; undefined where there is none. A
 * header event holds a whole one, so the last one counts. Refused as `invalid-input`: deltas, and the reason "fallback".
 */
export function foldRequestHeader(events: Iterable<HeaderEvent>, from?: RequestHeader): RequestHeader | undefined {
  let latest = from
  for (const event of events) {
    const fault = requestHeaderFault(event)
    if (fault !== null) throw new Refusal('invalid-input', `${fault}.`)
    if (event.type === 'request/header') latest = canonical(asObject(asObject(event.data as Json)?.['header']) ?? {})
  }
  return latest
}

/** Why an event is none that a request's header can be read from, null for every other one. */
export function requestHeaderFault({ type, data }: HeaderEvent): string | null {
  if (type === 'request/header-delta') return 'A request/header-delta is no longer read: headers are whole'
  const isFallback = type === 'request/header' && asObject(data as Json)?.['reason'] === 'fallback'
  return isFallback ? 'The reason "fallback" of a request/header is no longer read' : null
}

/** An empty list or text is as none. */
function canonical(header: JsonObject): RequestHeader {
  const defaults = asObject(header['adapterDefaults'])
  const system = header['system']
  const isSystem = system !== undefined && system !== '' && system !== null
  const [tools, messagePrefix] = [asList(header['tools']), asList(header['messagePrefix'])]
  return {
    config: asObject(header['config']) ?? {},
    ...(defaults !== null && Object.values(defaults).includes(true) ? { adapterDefaults: defaults } : {}),
    ...(isSystem ? { system } : {}),
    ...(tools.length > 0 ? { tools } : {}),
    ...(messagePrefix.length > 0 ? { messagePrefix } : {})
  }
}
