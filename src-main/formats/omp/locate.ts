import { join } from 'node:path'
import type { AgentId } from '#shared/model/agent.ts'
import type { Json, JsonObject } from '#shared/model/records.ts'
import type { KnownPlace, Listing, SessionSet } from '../format.ts'
import { asObject, asString } from '../json.ts'
import { kindOfType } from './schema.ts'

/** Where pi and omp keep sessions; `PI_CODING_AGENT_DIR` stands for either agent's folder. */
export function locateOmp(env: Readonly<Record<string, string | undefined>>, home: string): readonly KnownPlace[] {
  const own = env['PI_CODING_AGENT_DIR'] ?? ''
  return [
    ...(own === ''
      ? []
      : [{ path: join(own.replace(/^~(?=$|[\\/])/, home), 'sessions'), label: 'pi and omp sessions' }]),
    { path: join(home, '.pi', 'agent', 'sessions'), label: 'pi sessions' },
    { path: join(home, '.omp', 'agent', 'sessions'), label: 'omp sessions' }
  ]
}

export function claimOmp(listing: Listing): readonly SessionSet[] {
  return listing.files
    .filter((name) => name.endsWith('.jsonl'))
    .filter((name) => {
      const head = listing.head(name)
      return head !== undefined && isSession(head)
    })
    .map((name) => setOf(join(listing.path, name), null))
}

export function forceOmp(path: string, agent: AgentId | null): SessionSet {
  return setOf(path, agent === 'omp' || agent === 'pi' ? agent : null)
}

function setOf(path: string, agent: AgentId | null): SessionSet {
  return { files: [{ path, role: 'log', framing: 'lines' }], agent }
}

/**
 * Whether a file's first bytes are a session's: a header, maybe behind a byte order mark, a title line and lines that
 * do not parse. Without a header only entries of a known type count, and not those of other agents.
 */
function isSession(head: Buffer): boolean {
  const text = head.toString().replace(/^\ufeff/, '')
  const lines = text.split('\n')
  const cutLine = text.endsWith('\n') ? undefined : lines.at(-1)
  let isTitled = false
  for (const [index, line] of lines.entries()) {
    if (line.trim() === '') continue
    const object = parsed(line)
    if (object === 'nothing') continue
    if (object === undefined) {
      if (line === cutLine && isCutEntry(line)) return true
      continue
    }
    if (object === null) return false
    if (index === 0 && object['type'] === 'title') {
      isTitled = object['v'] === 1
      continue
    }
    return isHeader(object) || isEntry(object)
  }
  return isTitled
}

/** `nothing` for null, false, 0 and "", which the agents pass over; null for other values, undefined for no JSON. */
function parsed(line: string): JsonObject | 'nothing' | null | undefined {
  try {
    const value = JSON.parse(line) as Json
    return value ? asObject(value) : 'nothing'
  } catch {
    return undefined
  }
}

function isHeader(object: JsonObject): boolean {
  const foreign = typeof object['createdAt'] === 'number' || object['delegationDepth'] !== undefined
  return object['type'] === 'session' && object['id'] !== undefined && !foreign
}

function isEntry(object: JsonObject): boolean {
  const foreign = ['uuid', 'sessionId', 'payload', 'run_id', 'seq'].some((member) => object[member] !== undefined)
  const known = kindOfType.has(asString(object['type']) ?? '')
  return known && !foreign && (typeof object['id'] === 'string' || asObject(object['message']) !== null)
}

/** A first line that is longer than the head that was read, or that its writer did not come to the end of. */
function isCutEntry(line: string): boolean {
  const type = /^\{"type":"(\w+)",/.exec(line)?.[1]
  const start = line.slice(0, 400)
  // Only these two agents' headers have a time under that name.
  if (type === 'session') return start.includes('"timestamp":"')
  return type !== undefined && kindOfType.has(type) && /"(?:id|timestamp)":"/.test(start)
}
