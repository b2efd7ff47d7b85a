import { readFileSync, readdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type Bytes, openBytes } from '#main/platform/bytes.ts'
import { linesIn } from '#main/tail/split-lines.ts'
import { appendLines } from '#main/platform/append-lines.ts'
import { createFileSync } from '#main/platform/create-file-sync.ts'
import { readHead } from '#main/platform/read-head.ts'
import { Refusal } from '#shared/contract/refusal.ts'
import type { EntryRecord, JsonObject, SessionRecords } from '#shared/model/records.ts'
import type { SessionView } from '../format.ts'
import { uuidV7 } from '../uuid-v7.ts'
import { assembleOmp } from './assemble.ts'
import { contextOf, requestAt } from './context.ts'
import { dialectOf, notLoaded, versionOf } from './dialect.ts'
import { readEntry } from './entry.ts'
import { rewrittenEntries } from './fork.ts'
import { branchSummaryOf, entryOf, headerOf, labelOf, lineOf, sessionFileName, unusedId } from './lines.ts'
import { forceOmp } from './locate.ts'
import { ompReader } from './read.ts'
import { newestVersion, stateFromJson, stateToJson } from './schema.ts'
import { sessionFolder } from './session-folder.ts'
import { childrenOf, pathTo } from './tree.ts'
import { migrated } from './write.ts'

/** The first object of a session file, save for omp's title line. It is no entry. */
export interface SessionHeader {
  readonly type: 'session'
  readonly version: number
  readonly id: string
  /** ISO 8601 UTC. */
  readonly timestamp: string
  readonly cwd?: string
  /** Path of the session that this one comes from, or its id. */
  readonly parentSession?: string
  readonly [member: string]: unknown
}

/** An entry as it is stored; `type` says which members it has. */
export interface SessionEntry {
  readonly type: string
  readonly id: string
  readonly parentId: string | null
  /** ISO 8601 UTC. */
  readonly timestamp: string
  readonly [member: string]: unknown
}

/** A message as the agents store it. */
export interface AgentMessage {
  readonly role: string
  readonly [member: string]: unknown
}

export interface SessionTreeNode {
  readonly entry: SessionEntry
  /** In the order of the file. */
  readonly children: readonly SessionTreeNode[]
  readonly label?: string
}

/** What the model is sent at the leaf. */
export interface SessionContext {
  /** Summaries have the roles `compactionSummary` and `branchSummary`, injected messages `custom`. */
  readonly messages: readonly AgentMessage[]
  readonly thinkingLevel: string
  readonly model: { readonly provider: string; readonly modelId: string } | null
}

/**
 * A session of pi or omp to read and to write on, all calls synchronous. The file only ever grows: every append is one
 * write of whole lines at its end, on disk when the call returns. A new session's file is made when the first message of
 * the person or the model is appended, as the agents do. Whatever is refused throws an `Error` with a `code` such as
 * `not-found`, `unsupported`, `stale` or `invalid-input`, and leaves the file as it was.
 */
export class SessionManager {
  readonly #path: string | null
  readonly #header: SessionHeader
  /** As the file has it. */
  readonly #version: unknown
  readonly #objects: JsonObject[] = []
  readonly #entries: EntryRecord[] = []
  /** The last entry that has an id keeps it. */
  readonly #byId = new Map<string, number>()
  #state: JsonObject
  #leaf: string | null = null
  #size: number
  #lines: number
  #isWritten: boolean
  #view: SessionView | null = null

  private constructor(path: string | null, bytes: Buffer, isWritten: boolean) {
    this.#path = path
    this.#isWritten = isWritten
    const reader = ompReader(forceOmp(path ?? '', null).files, null)
    let lines = 0
    for (const line of linesIn(bytes)) {
      lines = line.number
      for (const entry of reader.read(line).entries) this.#keep(entry, objectIn(bytes, entry.bytes))
    }
    this.#size = bytes.length
    this.#lines = lines
    this.#state = reader.state()
    const header = stateFromJson(this.#state).preamble.at(-1)
    const stored = header === undefined ? {} : objectIn(bytes, header)
    this.#version = stored['version'] ?? 1
    this.#requireLoaded()
    const version = versionOf(this.#records())
    if (version < newestVersion) this.#migrate(version)
    this.#header = {
      ...stored,
      ...(version < newestVersion && { version: newestVersion })
    } as unknown as SessionHeader
  }

  /** A new session for a project, in omp's folder for it or in the folder that is named. */
  static create(cwd: string, sessionDir?: string): SessionManager {
    const { id, time, line } = newHeader(cwd)
    const folder = sessionDir === undefined ? sessionFolder(cwd) : resolve(sessionDir)
    return new SessionManager(join(folder, sessionFileName(time, id)), line, false)
  }

  /**
   * An existing session, its leaf the last entry of the file. What is no session is refused as `unsupported`. Entries of
   * versions 1 and 2 are migrated in memory, never in the file, so that nothing can be appended to the first version,
   * which has no ids: that is refused as `unsupported` too, as it is for versions that are not known.
   */
  static open(path: string): SessionManager {
    const file = resolve(path)
    return new SessionManager(file, readSessionFile(file), true)
  }

  /** The session of the project that was written to last and can be written on, else a new one. */
  static continueRecent(cwd: string, sessionDir?: string): SessionManager {
    const folder = sessionDir === undefined ? sessionFolder(cwd) : resolve(sessionDir)
    for (const path of sessionsIn(folder)) {
      if (!isOfProject(path, resolve(cwd))) continue
      const session = SessionManager.open(path)
      if (session.#isWritable()) return session
    }
    return SessionManager.create(cwd, sessionDir)
  }

  /** A session that is never written to a file. */
  static inMemory(cwd: string = process.cwd()): SessionManager {
    return new SessionManager(null, newHeader(cwd).line, false)
  }

  /** Path of the file, also before it is made; undefined in memory. */
  getSessionFile(): string | undefined {
    return this.#path ?? undefined
  }

  getHeader(): SessionHeader {
    return this.#header
  }

  /** All entries in the order of the file, without the header. */
  getEntries(): SessionEntry[] {
    return this.#objects.map(asEntry)
  }

  /** The entry from which the session goes on; null before the first. */
  getLeafId(): string | null {
    return this.#leaf
  }

  getEntry(id: string): SessionEntry | undefined {
    const object = this.#objects[this.#byId.get(id) ?? -1]
    return object === undefined ? undefined : asEntry(object)
  }

  /** The entries from the root to an entry, or to the leaf; none for an id that is not there. */
  getPath(fromId?: string): SessionEntry[] {
    const end = this.#byId.get(fromId ?? this.#leaf ?? '')
    if (end === undefined) return []
    return pathTo(this.#assembled().tree.nodes, end).map((at) => asEntry(this.#objects[at] ?? {}))
  }

  /** The entries right below one, null: the roots; in the order of the file. None for an id that is not there. */
  getChildren(parentId: string | null): SessionEntry[] {
    const parent = parentId === null ? -1 : this.#byId.get(parentId)
    const { nodes } = this.#assembled().tree
    return this.#objects.filter((_, at) => nodes[at]?.parent === parent).map(asEntry)
  }

  /** The roots, each with all that is below it. A broken parent makes a root, a cycle is cut. */
  getTree(): SessionTreeNode[] {
    const { nodes } = this.#assembled().tree
    const made = nodes.map(({ label }, at) => ({
      entry: asEntry(this.#objects[at] ?? {}),
      children: [] as SessionTreeNode[],
      ...(label === null ? {} : { label })
    }))
    const { first, next } = childrenOf(nodes.map(({ parent }) => parent))
    made.forEach((node, at) => {
      for (let child = first[at] ?? -1; child !== -1; child = next[child] ?? -1) {
        const below = made[child]
        if (below !== undefined) node.children.push(below)
      }
    })
    return made.filter((_, at) => nodes[at]?.parent === -1)
  }

  getLabel(id: string): string | undefined {
    const at = this.#byId.get(id)
    return at === undefined ? undefined : (this.#assembled().tree.nodes[at]?.label ?? undefined)
  }

  /** What the model is sent at the leaf. */
  buildSessionContext(): SessionContext {
    if (this.#leaf === null) return { messages: [], thinkingLevel: 'off', model: null }
    const view = this.#assembled()
    const request = requestAt(view, this.#at(this.#leaf))
    const objects = new Map(request.wanted.map((at) => [at, this.#objects[at] ?? null]))
    const { draft, messages } = contextOf(view, request, objects)
    return {
      messages: messages as unknown as readonly AgentMessage[],
      thinkingLevel: draft.thinking ?? 'off',
      model: draft.model === null ? null : { provider: draft.model.provider, modelId: draft.model.name }
    }
  }

  appendMessage(message: AgentMessage): string {
    if (typeof message?.role !== 'string') throw new Refusal('invalid-input', 'A message needs a role.')
    if (message.role === 'compactionSummary' || message.role === 'branchSummary') {
      throw new Refusal(
        'invalid-input',
        `A message of the role ${message.role} is made of an entry and is never stored.`
      )
    }
    return this.#append('message', { message })
  }

  appendThinkingLevelChange(level: string): string {
    return this.#append('thinking_level_change', { thinkingLevel: level })
  }

  /** In the form of the agent whose file it is. */
  appendModelChange(provider: string, modelId: string): string {
    const isOmp = this.#dialect() === 'omp'
    return this.#append('model_change', isOmp ? { model: `${provider}/${modelId}` } : { provider, modelId })
  }

  /** From here on a summary stands for what is before `firstKeptEntryId` on the path. */
  appendCompaction(
    summary: string,
    firstKeptEntryId: string,
    tokensBefore: number,
    details?: unknown,
    fromHook?: boolean
  ): string {
    return this.#append('compaction', { summary, firstKeptEntryId, tokensBefore, details, fromHook })
  }

  /** A note that the model never sees. */
  appendCustomEntry(customType: string, data?: unknown): string {
    return this.#append('custom', { customType, data })
  }

  /** A message that the model sees, whether `display` shows it to the person or not. */
  appendCustomMessageEntry(
    customType: string,
    content: string | readonly unknown[],
    display: boolean,
    details?: unknown
  ): string {
    return this.#append('custom_message', { customType, content, display, details })
  }

  /** Without a label the one that is there is cleared. Refused as `not-found` for an id that is not there. */
  appendLabelChange(targetId: string, label: string | undefined): string {
    this.#at(targetId)
    return this.#write((place) => labelOf(place, targetId, label))
  }

  /** Makes an earlier entry the leaf: what is appended next hangs below it. Nothing is written. */
  branch(entryId: string): void {
    this.#at(entryId)
    this.#leaf = entryId
  }

  /** Makes an earlier entry the leaf, and tells the model what was left: the summary hangs below it and is the new leaf. */
  branchWithSummary(entryId: string | null, summary: string, details?: unknown, fromHook?: boolean): string {
    if (entryId !== null) this.#at(entryId)
    const oldLeaf = this.#leaf
    return this.#write(
      (place) => branchSummaryOf(place, this.#dialect(), oldLeaf, { summary, details, fromHook }),
      entryId
    )
  }

  #append(type: string, members: object): string {
    return this.#write((place) => entryOf(type, place, members))
  }

  #write(
    make: (place: { readonly id: string; readonly parentId: string | null; readonly timestamp: string }) => JsonObject,
    parentId: string | null = this.#leaf
  ): string {
    this.#requireWritable()
    const id = unusedId((taken) => this.#byId.has(taken))
    const text = lineOf(make({ id, parentId, timestamp: new Date().toISOString() }))
    // What is kept is what was written, whatever becomes of the caller's objects.
    const object = JSON.parse(text) as JsonObject
    const { offset, bytes } = this.#store(object, text)
    this.#keep(
      {
        file: 0,
        line: ++this.#lines,
        part: 1,
        bytes: [offset + bytes - Buffer.byteLength(text), Buffer.byteLength(text) - 1],
        ...withPlainFacts(readEntry(object, newestVersion, false))
      },
      object
    )
    this.#size = offset + bytes
    return id
  }

  /** Where an entry's bytes were put, or would be while there is no file. */
  #store(object: JsonObject, text: string): { readonly offset: number; readonly bytes: number } {
    if (this.#path !== null && this.#isWritten) return appendLines(this.#path, text, this.#size)
    if (this.#path !== null && beginsFile(object)) {
      createFileSync(this.#path, [this.#header, ...this.#objects].map(lineOf).join('') + text)
      this.#isWritten = true
    }
    return { offset: this.#size, bytes: Buffer.byteLength(text) }
  }

  #keep(entry: EntryRecord, object: JsonObject): void {
    if (entry.storedId !== null && entry.storedId !== '') {
      this.#byId.set(entry.storedId, this.#objects.length)
      this.#leaf = entry.storedId
    }
    this.#objects.push(object)
    this.#entries.push(entry)
    this.#view = null
  }

  /** Refused as `not-found`. */
  #at(id: string): number {
    const at = this.#byId.get(id)
    if (at !== undefined) return at
    throw new Refusal('not-found', `The session has no entry ${id}.`, { file: this.#path, entry: id })
  }

  #records(): SessionRecords {
    const [source] = forceOmp(this.#path ?? '', null).files
    const file = { ...source, size: this.#size, length: this.#size, modified: 0, state: this.#state }
    return { files: [file], agent: null, entries: this.#entries }
  }

  #dialect(): 'omp' | 'pi' {
    return dialectOf(this.#records())
  }

  #assembled(): SessionView {
    if (this.#view !== null) return this.#view
    const records = this.#records()
    const objects = this.#objects
    const content = {
      async *objects(at: readonly number[]) {
        for (const index of at) yield objects[index] ?? null
      }
    }
    const path = this.#path
    const open = (): Promise<Bytes> =>
      path === null
        ? Promise.reject(new Refusal('not-found', 'This session is in memory only; it has no file.'))
        : openBytes(path)
    this.#view = { records, tree: assembleOmp(records), content, open }
    return this.#view
  }

  #requireLoaded(): void {
    const records = this.#records()
    const unread = notLoaded(records, dialectOf(records))
    if (unread !== null) this.#refuse(`cannot be opened as a session: ${unread}. It was left as it is.`)
  }

  /** Puts what the newest version has in the place of an older one's entries. */
  #migrate(version: number): void {
    const rewritten = rewrittenEntries(this.#assembled())
    const state = stateFromJson(this.#state)
    this.#state = stateToJson({ ...state, header: state.header && { ...state.header, version: newestVersion } })
    const objects = this.#objects.splice(0)
    this.#entries.splice(0).forEach((entry, at) => {
      const members = rewritten.get(at)
      const stored = objects[at] ?? {}
      const object = members === undefined ? stored : { ...migrated(stored, version), ...members }
      this.#keep({ ...entry, ...withPlainFacts(readEntry(object, newestVersion, false)) }, object)
    })
  }

  #isWritable(): boolean {
    return this.#version === newestVersion || this.#version === 2
  }

  #requireWritable(): void {
    if (this.#isWritable()) return
    this.#refuse(
      `is of version ${String(this.#version)}; only versions 2 and ${newestVersion} can be written on, and no file is ever migrated in place. Fork it ("treeline branch FILE --fork") and open the fork.`
    )
  }

  #refuse(why: string): never {
    throw new Refusal('unsupported', `${this.#path ?? 'This session'} ${why}`, { file: this.#path })
  }
}

function newHeader(cwd: string): { readonly id: string; readonly time: string; readonly line: Buffer } {
  const now = new Date()
  const id = uuidV7(now)
  const time = now.toISOString()
  return { id, time, line: Buffer.from(lineOf(headerOf(id, time, resolve(cwd)))) }
}

/** Agents make a session's file when the first message of the person or the model comes. */
function beginsFile(object: JsonObject): boolean {
  const message = object['message'] as JsonObject | undefined
  return object['type'] === 'message' && (message?.['role'] === 'user' || message?.['role'] === 'assistant')
}

/** An entry's members are as they were stored; one without an id or a parent says so. */
const asEntry = (object: JsonObject): SessionEntry => object as unknown as SessionEntry

const objectIn = (bytes: Buffer, [offset, length]: readonly [number, number]): JsonObject =>
  JSON.parse(bytes.toString('utf8', offset, offset + length).replace(/^\ufeff/, '')) as JsonObject

const withPlainFacts = (content: ReturnType<typeof readEntry>) => ({
  ...content,
  facts: content.facts as unknown as JsonObject
})

function readSessionFile(path: string): Buffer {
  try {
    return readFileSync(path)
  } catch (error) {
    throw new Refusal('not-found', `${path} cannot be read (${(error as Error).message}). Check the path.`, {
      file: path
    })
  }
}

/** Session files of a folder, the one that was written to last first. */
function sessionsIn(folder: string): string[] {
  const modified = (path: string) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
  return namesIn(folder)
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => ({ path: join(folder, name), time: modified(join(folder, name)) }))
    .toSorted((one, other) => other.time - one.time)
    .map(({ path }) => path)
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** Whether a file's first bytes are those of a session of that project, which may be written on. */
function isOfProject(path: string, cwd: string): boolean {
  const reader = ompReader(forceOmp(path, null).files, null)
  for (const line of linesIn(headOf(path))) {
    reader.read(line)
    const { header, phase, bom } = stateFromJson(reader.state())
    // pi opens no file with a byte order mark.
    if (header !== null) return header.version > 1 && header.cwd === cwd && !bom
    if (phase === 'none') return false
  }
  return false
}

function headOf(path: string): Buffer {
  try {
    return readHead(path)
  } catch {
    return Buffer.alloc(0)
  }
}
