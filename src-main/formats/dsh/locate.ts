import { basename, join } from 'node:path'
import type { AgentId } from '#shared/model/agent.ts'
import type { JsonObject, SourceFile } from '#shared/model/records.ts'
import type { KnownPlace, Listing, SessionSet } from '../format.ts'
import { asObject } from '../json.ts'
import { integer } from './event.ts'
import { firstFrameLine } from './frames.ts'
import { headerOf } from './header.ts'

const canonical = /^session(?:\.v([1-9]\d*))?\.jsonl(\.zstd)?$/
const zstdMagic = Buffer.from([0x28, 0xb5, 0x2f, 0xfd])
/** Behind a damaged header the events tell. */
const linesLooked = 20
const compressed = /\.zstd?$/

/** Where dsh keeps sessions; `DSH_HOME` stands for its folder. */
export function locateDsh(env: Readonly<Record<string, string | undefined>>, home: string): readonly KnownPlace[] {
  const own = env['DSH_HOME'] ?? ''
  const folder = own === '' ? join(home, '.dsh') : own.replace(/^~(?=$|[\\/])/, home)
  return [{ path: join(folder, 'sessions'), label: 'dsh sessions' }]
}

/** The generation that a file's name says; null for a name that is none of a session's. */
export function versionOfName(name: string): number | null {
  const [found, version = '0'] = canonical.exec(name) ?? []
  return found === undefined ? null : Number(version)
}

/**
 * A directory holds one session, whose file is that of the highest generation, whatever can be read of it; the others
 * are its older ones, or the same one in the other encoding, and no sessions (docs/formats/dsh.md, "Generations").
 */
export function claimDsh(listing: Listing): readonly SessionSet[] {
  const generations = generationsIn(listing.files)
  const [highest, ...others] = generations
  if (highest === undefined || !generations.some((name) => isSession(name, listing.head(name)))) return []
  const set = setOf(join(listing.path, highest))
  // Its directory names it, so that it stays the same session when a newer generation is written.
  return [{ ...set, isDirectory: true, name: listing.path, ...(others.length > 0 && { beside: { others } }) }]
}

/** Names of a session's generations, the highest first; of equal ones the compressed, which dsh writes by default. */
export function generationsIn(names: readonly string[]): readonly string[] {
  const versions = names.flatMap((name) => {
    const version = versionOfName(name)
    return version === null ? [] : [{ name, version }]
  })
  return versions
    .toSorted((one, other) => other.version - one.version || other.name.length - one.name.length)
    .map(({ name }) => name)
}

export function forceDsh(path: string, _agent: AgentId | null): SessionSet {
  return setOf(path)
}

function setOf(path: string): SessionSet {
  const file: SourceFile = { path, role: 'log', framing: compressed.test(basename(path)) ? 'frames' : 'lines' }
  return { files: [file], agent: null }
}

function isSession(name: string, head: Buffer | undefined): boolean {
  if (head === undefined) return false
  if (compressed.test(name)) {
    const line = firstFrameLine(head)
    // Where the first frame is damaged only the name and the mark of frames can tell.
    if (line === null) return head.subarray(0, zstdMagic.length).equals(zstdMagic)
    const object = parsed(line.toString())
    return object !== null && headerOf(object) !== null
  }
  const lines = head
    .toString()
    .replace(/^\ufeff/, '')
    .split('\n', linesLooked)
  return lines.some((line) => {
    const object = parsed(line)
    return object !== null && (headerOf(object) !== null || isEvent(object))
  })
}

const isEvent = ({ type, seq, time, data }: JsonObject): boolean =>
  typeof type === 'string' && integer(seq) !== null && integer(time) !== null && asObject(data) !== null

function parsed(line: string): JsonObject | null {
  try {
    return asObject(JSON.parse(line))
  } catch {
    return null
  }
}
