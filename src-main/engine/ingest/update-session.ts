import { isDeepStrictEqual } from 'node:util'
import type { Assembled, Format, Line, LineReader, SessionSet } from '#main/formats/format.ts'
import { openSource } from '#main/formats/open-source.ts'
import { putTogether } from '#main/formats/put-together.ts'
import type { Queries } from '#main/index/types.ts'
import type { FileProgress, Progress, ReadLine, Updates } from '#main/index/updates.ts'
import type { FileState } from '#main/platform/bytes.ts'
import { collectGarbage } from '#main/platform/collect-garbage.ts'
import { sessionKey } from '#main/platform/session-key.ts'
import { type Checkpoint, isUnchanged, tail } from '#main/tail/tail.ts'
import type { SessionKey } from '#shared/model/keys.ts'
import type { EntryRecord, JsonObject, LineReading } from '#shared/model/records.ts'
import { openingOf } from '../opening.ts'
import type { RecordCache } from './record-cache.ts'

/** A line from here on takes so much memory that it is given back at once. */
const hugeBytes = 2 ** 24

export interface SessionSource {
  readonly format: Format
  readonly set: SessionSet
  /** Where it was claimed. */
  readonly folder: string
}

export interface UpdateParts {
  readonly updates: Updates
  readonly queries: Queries
  readonly records: RecordCache
}

export const keyOf = ({ set }: SessionSource): SessionKey => sessionKey(set.name ?? set.files[0].path)

/** Whether the index holds a session as it is on disk, by the states of its files. */
export function isCurrent(
  { updates }: UpdateParts,
  source: SessionSource,
  state: (path: string) => FileState | undefined
): boolean {
  const progress = updates.progress(keyOf(source))
  if (progress?.isSummed !== true || progress.agent !== source.set.agent || progress.folder !== source.folder)
    return false
  if (!isDeepStrictEqual(progress.beside, source.set.beside)) return false
  return (
    progress.files.length === source.set.files.length &&
    source.set.files.every(({ path }, at) => {
      const file = progress.files[at]
      const found = file?.path === path ? state(path) : undefined
      const checkpoint = file === undefined ? null : checkpointOf(file)
      return found !== undefined && checkpoint !== null && isUnchanged(found, checkpoint)
    })
  )
}

/**
 * Reads what the index lacks of a session, chunk by chunk, each in one transaction with its checkpoint; `stored` is told
 * of each, the last one included. Rejects with the system's error.
 */
export async function readSession(
  parts: UpdateParts,
  source: SessionSource,
  signal: AbortSignal,
  stored: () => void
): Promise<Progress> {
  const { format, set, folder } = source
  const key = keyOf(source)
  for (;;) {
    const { agent, files, beside } = set
    const progress = parts.updates.begin({ key, format: format.id, agent, files, folder, beside })
    if (await readFiles(parts, source, progress, signal, stored)) return parts.updates.progress(key) ?? progress
  }
}

/** False where another process got ahead: then reading goes on from where that one is. */
async function readFiles(
  { updates, records }: UpdateParts,
  source: SessionSource,
  progress: Progress,
  signal: AbortSignal,
  told: () => void
): Promise<boolean> {
  const { format, set } = source
  const session = keyOf(source)
  let { revision } = progress
  if (progress.files.every(({ checkpoint }) => checkpoint === null))
    records.put(session, revision, set.files.length, [])
  for (const [file, stored] of progress.files.entries()) {
    await using bytes = await openSource(format, stored)
    let reader: LineReader | undefined
    let kept = checkpointOf(stored)?.line ?? 0
    let longest = 0
    for await (const { restarted, lines, checkpoint } of tail(
      bytes,
      { file, framing: stored.framing },
      checkpointOf(stored),
      signal
    )) {
      if (restarted) kept = 0
      reader ??= format.reader(set.files, restarted ? null : stored.checkpointState)
      const { read, grown, checkpointState } = readLines(reader, lines)
      const change = {
        session,
        revision,
        file,
        kept,
        lines: read,
        grown,
        checkpoint: JSON.stringify(checkpoint),
        size: checkpoint.size,
        length: checkpoint.length,
        modified: checkpoint.modified,
        checkpointState,
        state: reader.state()
      }
      const newRevision = updates.append(change)
      if (newRevision === undefined) return false
      const entries = read.flatMap((line) => line.entries)
      records.append(session, { revision, newRevision, file, kept, grown, entries })
      revision = newRevision
      told()
      kept = checkpoint.line
      longest = lines.reduce((length, line) => Math.max(length, line.length), longest)
    }
    if (longest > hugeBytes) collectGarbage()
  }
  return true
}

interface ReadLines {
  readonly read: readonly ReadLine[]
  /** What became of an entry that began before these lines. */
  readonly grown: EntryRecord | null
  /** Before an unterminated rest, which will be read again. */
  readonly checkpointState: JsonObject
}

function readLines(reader: LineReader, lines: readonly Line[]): ReadLines {
  const read: ReadLine[] = []
  /** The last line in which an entry began. */
  let last = -1
  let grownBefore: EntryRecord | null = null
  let checkpointState: JsonObject | undefined
  for (const line of lines) {
    if (line.end === 0) checkpointState = reader.state()
    const { grown, ...reading } = readLine(reader, line)
    const beginning = read[last]
    if (grown !== undefined && beginning === undefined) grownBefore = grown
    else if (grown !== undefined && beginning !== undefined) read[last] = { ...beginning, entries: [grown] }
    read.push(reading)
    if (reading.entries.length > 0) last = read.length - 1
  }
  return { read, grown: grownBefore, checkpointState: checkpointState ?? reader.state() }
}

function readLine(reader: LineReader, line: Line): ReadLine & Pick<LineReading, 'grown'> {
  const { number, offset, length, frame } = line
  const { entries, ...reading } = reader.read(line)
  const placed = frame === null ? entries : entries.map((entry) => ({ ...entry, frame }))
  return { number, offset, length, frame, ...reading, entries: placed }
}

/**
 * Sums a session up from its records, all of them or as many as were read so far; the revision of the summary, undefined
 * where the session has changed meanwhile.
 */
export function sumUp(
  parts: UpdateParts,
  source: SessionSource,
  progress: Progress,
  isWhole: boolean
): number | undefined {
  const key = keyOf(source)
  const { revision, files } = progress
  const tree = together(parts, source, progress)?.tree
  if (tree === undefined) return undefined
  const { updates } = parts
  const summary = {
    ...tree.session,
    key,
    revision,
    file: files[0].path,
    bytes: files.reduce((sum, { size }) => sum + size, 0),
    entries: tree.nodes.length,
    leaves: tree.leaves.length,
    faults: updates.faultCount(key) + tree.faults.length,
    ...(!isWhole && { reading: true as const })
  }
  return updates.sumUp({
    session: key,
    revision,
    summary,
    subagentFiles: tree.subagentFiles ?? [],
    awaited: awaitedParent(tree)
  })
}

function awaitedParent({ session: { parent }, faults }: Assembled): string | null {
  if (parent === null) return null
  const isMissing = parent.file === null || faults.some(({ kind }) => kind === 'missing-parent-session')
  return isMissing ? (parent.id ?? parent.file) : null
}

/** Keeps what a window shows first of a session as it is now. */
export function keepOpening(parts: UpdateParts, source: SessionSource): void {
  const key = keyOf(source)
  const { updates } = parts
  const progress = updates.progress(key)
  if (progress === undefined) return
  const session = together(parts, source, progress)
  if (session === undefined) return
  updates.keepOpening(key, progress.revision, openingOf({ ...session, stored: progress, format: source.format }))
}

/** A session put together at a revision; undefined where it has changed meanwhile. */
function together(
  { queries, records }: UpdateParts,
  source: SessionSource,
  { revision, files, agent, beside }: Progress
): ReturnType<typeof putTogether> | undefined {
  const key = keyOf(source)
  let entries = records.get(key, revision)
  if (entries === undefined) {
    const stored = queries.records(key)
    if (stored?.revision !== revision) return undefined
    entries = stored.records.entries
    records.put(key, revision, files.length, entries)
  }
  return putTogether(source.format, { files, agent, ...(beside === undefined ? {} : { beside }), entries })
}

const checkpointOf = ({ checkpoint }: FileProgress): Checkpoint | null =>
  checkpoint === null ? null : (JSON.parse(checkpoint) as Checkpoint)
