import type { AgentId } from '#shared/model/agent.ts'
import type { JsonObject } from '#shared/model/records.ts'
import type { Listing } from './format.ts'
import { asObject, asString } from './json.ts'

const zstdMagic = Buffer.from([0x28, 0xb5, 0x2f, 0xfd])
/** Claude Code's own lines can stand behind this many lines of other kinds. */
const linesLooked = 20

/**
 * The agent whose sessions lie directly in a folder, where we know its files but cannot read them yet; null for any
 * other folder. Seen by names and first lines only.
 */
export function unsupportedStore(listing: Listing): AgentId | null {
  for (const name of listing.files) {
    const agent = agentOf(listing, name)
    if (agent !== null) return agent
  }
  return null
}

function agentOf(listing: Listing, name: string): AgentId | null {
  if (name.endsWith('.jsonl.zst')) return agentOfCompressed(listing, name)
  if (!name.endsWith('.jsonl')) return null
  const objects = firstObjects(listing.head(name))
  const first = objects[0]
  if (first === undefined) return null
  if (isCodexRollout(first, objects[1])) return 'codex'
  return objects.some(isClaudeCode) ? 'claude-code' : null
}

/** Codex writes frames into `rollout-….jsonl.zst`; what is in them stays closed. */
function agentOfCompressed(listing: Listing, name: string): AgentId | null {
  const isRollout = name.startsWith('rollout-') && listing.head(name)?.subarray(0, 4).equals(zstdMagic) === true
  return isRollout ? 'codex' : null
}

/** The oldest rollouts begin with a bare object, then bare items. */
function isCodexRollout(first: JsonObject, second: JsonObject | undefined): boolean {
  if (first['type'] === 'session_meta') return asString(asObject(first['payload'])?.['id']) !== null
  const isBare =
    first['type'] === undefined && typeof first['id'] === 'string' && typeof first['timestamp'] === 'string'
  return (
    isBare && (first['instructions'] !== undefined || first['git'] !== undefined || second?.['record_type'] === 'state')
  )
}

function isClaudeCode(object: JsonObject): boolean {
  const type = object['type']
  const isTurn = type === 'user' || type === 'assistant'
  return (
    isTurn &&
    typeof object['sessionId'] === 'string' &&
    typeof object['uuid'] === 'string' &&
    asObject(object['message']) !== null
  )
}

function firstObjects(head: Buffer | undefined): readonly JsonObject[] {
  if (head === undefined) return []
  const lines = head
    .toString()
    .replace(/^\ufeff/, '')
    .split('\n', linesLooked)
  return lines.flatMap((line): JsonObject[] => {
    try {
      const object = asObject(JSON.parse(line))
      return object === null ? [] : [object]
    } catch {
      return []
    }
  })
}
