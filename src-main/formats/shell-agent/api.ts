import { existsSync, lstatSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { appendLines } from '#main/platform/append-lines.ts'
import { type Bytes, openBytes } from '#main/platform/bytes.ts'
import { createFileSync } from '#main/platform/create-file-sync.ts'
import { replaceFileSync } from '#main/platform/replace-file-sync.ts'
import { temporaryName } from '#main/platform/temporary-name.ts'
import { underLock } from '#main/platform/under-lock.ts'
import { linesIn } from '#main/tail/split-lines.ts'
import { Refusal } from '#shared/contract/refusal.ts'
import { asObject } from '../json.ts'
import { objectEnd, recoverObjects } from '../recover-objects.ts'
import type { DisplayMessage } from './display.ts'
import { isRunningIn } from './locate.ts'
import { parseLine } from './parse-line.ts'
import { projectFolder } from './project-folder.ts'
import { messageShape } from './read.ts'
import { recentLines, replayTurns } from './recent-turns.ts'
import { conversationName, draftName, eventsName, planName, statsName, summaryName } from './schema.ts'
import { parseStats, type Stats, titleLine, updatedStats } from './stats.ts'
import {
  assistantLine,
  eventLine,
  newSessionId,
  type SessionEvent,
  type ToolCall,
  type ToolResult,
  toolResultsLine,
  userLine
} from './write.ts'

export { Display, type DisplayMessage } from './display.ts'
export type { Stats } from './stats.ts'
export type { SessionEvent, ToolCall, ToolResult } from './write.ts'

/** A message as it stands in the conversation and in the next request. */
export interface ConversationMessage {
  readonly role: string
  readonly content: unknown
  readonly [member: string]: unknown
}

/** Tokens that were spent, none of them counted twice, and for what. */
export type UsageRecord = {
  readonly input: number
  readonly output: number
  readonly cacheRead: number
  readonly cacheCreation: number
} & (
  | { readonly kind: 'agent' | 'compact' }
  /** All that a sub-agent spent, in so many requests. */
  | { readonly kind: 'sub_agent'; readonly sessionId: string; readonly requests: number }
)

export interface CreateOptions {
  /** The session's name, else one is made of the time. */
  readonly id?: string
  /** Where the session's folder is made, else where the agent has those of the project. */
  readonly projectFolder?: string
}

const fileNames = [conversationName, eventsName, summaryName, planName, draftName, statsName]
const defaultTurns = 10

/**
 * The folder of one session of the shell agent, to read and to write on. All writing is done when a call returns: logs
 * grow by whole lines, each call in one write; the other files are replaced whole. Several processes may write at once.
 * Nothing is written where the agent itself runs in the folder. Whatever is refused throws an `Error` with a `code` such
 * as `not-found`, `exists`, `read-only`, `unsupported` or `invalid-input`.
 */
export class SessionStore {
  /** Absolute path. */
  readonly folder: string

  private constructor(folder: string) {
    this.folder = folder
  }

  /** A new session for a project: its folder with all files in it appears at once. Refused as `exists`. */
  static create(cwd: string, options: CreateOptions = {}): SessionStore {
    const { id = newSessionId(new Date()) } = options
    if (!/^\w[\w.-]*$/.test(id)) {
      throw new Refusal('invalid-input', `"${id}" is no name for a session. Use letters, digits, "-", "_" and ".".`)
    }
    const parent = options.projectFolder === undefined ? projectFolder(cwd) : resolve(options.projectFolder)
    const folder = join(parent, id)
    const temporary = join(parent, temporaryName())
    mkdirSync(join(temporary, 'images'), { recursive: true, mode: 0o700 })
    try {
      for (const name of fileNames) {
        createFileSync(
          join(temporary, name),
          name === eventsName ? eventLine({ type: 'session_start', session_id: id }) : ''
        )
      }
      if (lstatSync(folder, { throwIfNoEntry: false }) !== undefined) throw exists(folder)
      renameSync(temporary, folder)
    } catch (error) {
      rmSync(temporary, { recursive: true, force: true })
      throw error
    }
    return new SessionStore(folder)
  }

  /** An existing session. Refused as `not-found` where the folder has not both logs. */
  static open(folder: string): SessionStore {
    const store = new SessionStore(resolve(folder))
    for (const name of [conversationName, eventsName]) {
      if (lstatSync(store.#path(name), { throwIfNoEntry: false })?.isFile() === true) continue
      throw new Refusal('not-found', `${store.folder} has no ${name}, so it is no session. Check the path.`, {
        file: store.folder
      })
    }
    return store
  }

  get id(): string {
    return basename(this.folder)
  }

  /** A prompt, or another text that begins a turn. */
  addUser(text: string): void {
    this.#append(conversationName, userLine(text))
  }

  addAssistant(answer: {
    readonly thinking: string
    readonly text: string
    readonly calls: readonly ToolCall[]
  }): void {
    this.#append(conversationName, assistantLine(answer))
  }

  /** The results of all calls of the last answer. */
  addToolResults(results: readonly ToolResult[]): void {
    this.#append(conversationName, toolResultsLine(results))
  }

  /** What happened, for those who look on; several events in one write. */
  appendEvents(...events: readonly SessionEvent[]): void {
    this.#append(eventsName, events.map(eventLine).join(''))
  }

  /**
   * The messages of the next request. A line that a crash cut short is passed over, as its message was never added;
   * refused as `unsupported` where any other cannot be read.
   */
  messages(): ConversationMessage[] {
    const path = this.#path(conversationName)
    return [...linesIn(readFileSync(path))].flatMap(({ number, bytes }) => {
      if (bytes === null || bytes.length === 0) return []
      const message = asObject(parseLine(bytes, Infinity)?.value)
      if (message !== null) return [message as unknown as ConversationMessage]
      if (isTorn(bytes)) return []
      throw new Refusal('unsupported', `Line ${number} of ${path} cannot be read.`, { file: path })
    })
  }

  /** What stands for the messages that a compaction dropped; null before the first. */
  get summary(): string | null {
    return this.#text(summaryName)
  }

  /** The plan that is part of the system prompt; null where there is none. */
  get plan(): string | null {
    return this.#text(planName)
  }

  /** The plan that is being drafted, of which the system prompt knows nothing. */
  get draft(): string | null {
    return this.#text(draftName)
  }

  writeSummary(text: string): void {
    this.#locked(() => this.#replace(summaryName, `${text}\n`))
  }

  writeDraft(text: string): void {
    this.#locked(() => this.#replace(draftName, text))
  }

  /** Makes the draft the plan. False where nothing is drafted. */
  confirmPlan(): boolean {
    return this.#locked(() => {
      const { draft } = this
      if (draft === null) return false
      this.#replace(planName, draft)
      this.#replace(draftName, '')
      return true
    })
  }

  clearPlan(): void {
    this.#locked(() => this.#replace(planName, ''))
  }

  /** Refused as `unsupported` where the file is no object of JSON. */
  stats(): Stats {
    const stats = parseStats(this.#read(statsName))
    if (stats !== null) return stats
    const file = this.#path(statsName)
    throw new Refusal('unsupported', `${file} is no object of JSON.`, { file })
  }

  /** Changes counters, `key=+n` to add and `key=value` to set, all at once; no change of another process is lost. */
  updateStats(...changes: readonly string[]): Stats {
    this.#locked(() => this.#updateStats(changes))
    return this.stats()
  }

  /** Writes a usage event and adds it to the counters. Returns the tokens of the request with its answer. */
  recordUsage(usage: UsageRecord): number {
    const { input, output, cacheRead, cacheCreation, kind } = usage
    const counts = [input, output, cacheRead, cacheCreation, ...(kind === 'sub_agent' ? [usage.requests] : [])]
    if (!counts.every((count) => Number.isSafeInteger(count) && count >= 0)) {
      throw new Refusal('invalid-input', 'Tokens and requests are whole numbers from 0.')
    }
    const context = input + output + cacheRead + cacheCreation
    const event = eventLine({
      type: 'usage',
      input_tokens: input,
      output_tokens: output,
      cache_read_input_tokens: cacheRead,
      cache_creation_input_tokens: cacheCreation,
      kind,
      ...(kind === 'sub_agent' && { sub_session_id: usage.sessionId })
    })
    this.#locked(() => {
      // Before the event: counters that cannot be read are refused with nothing written.
      this.stats()
      this.#appendNow(eventsName, event)
      this.#updateStats([
        ...countersOf(usage, context),
        `total_input_tokens=+${input}`,
        `total_output_tokens=+${output}`,
        `total_cache_read_tokens=+${cacheRead}`,
        `total_cache_creation_tokens=+${cacheCreation}`
      ])
    })
    return context
  }

  /** The title that the agent gives its terminal. */
  title(model: string, isIdle = false): string {
    return titleLine(this.stats(), model, isIdle)
  }

  /** The lines of the last turns of the event log, without line ends; only these are read. */
  recentTurnLines(turns = defaultTurns): Promise<string[]> {
    return this.#withEvents([], (events, end) => recentLines(events, end, turns))
  }

  /** What was shown in the last turns; a `Display` that gets the events one by one shows the same. */
  replay(turns = defaultTurns): Promise<readonly DisplayMessage[]> {
    return this.#withEvents([], (events, end) => replayTurns(events, end, turns))
  }

  /** `none` where there is no event log. */
  async #withEvents<T>(none: T, act: (events: Bytes, end: number) => Promise<T>): Promise<T> {
    const path = this.#path(eventsName)
    if (!existsSync(path)) return none
    await using events = await openBytes(path)
    return act(events, (await events.state()).length)
  }

  #append(name: string, text: string): void {
    this.#locked(() => this.#appendNow(name, text))
  }

  #appendNow(name: string, text: string): void {
    const path = this.#path(name)
    appendLines(path, text, lstatSync(path).size)
  }

  #replace(name: string, text: string): void {
    replaceFileSync(this.#path(name), text)
  }

  #updateStats(changes: readonly string[]): void {
    this.#replace(statsName, updatedStats(this.#read(statsName), changes, new Date()))
  }

  /** Without the line feeds at its end; null where it is empty. */
  #text(name: string): string | null {
    const text = this.#read(name).replace(/\n+$/, '')
    return text === '' ? null : text
  }

  /** Empty where there is no such file: older agents do not make all of them. */
  #read(name: string): string {
    try {
      return readFileSync(this.#path(name), 'utf8')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
      throw error
    }
  }

  #locked<T>(step: () => T): T {
    if (isRunningIn(this.folder)) throw isLive(this.folder)
    return underLock(this.#path('.treeline.lock'), step)
  }

  #path(name: string): string {
    return join(this.folder, name)
  }
}

/** Whether a line begins as an object that never ends, and holds no message that ran into it. */
function isTorn(line: Buffer): boolean {
  return (
    line.toString('latin1', 0, 1) === '{' &&
    objectEnd(line, 0) === -1 &&
    recoverObjects(line, messageShape).objects.length === 0
  )
}

function countersOf(usage: UsageRecord, context: number): string[] {
  switch (usage.kind) {
    case 'agent':
      return ['agent_request_count=+1', `current_context_tokens=${context}`]
    case 'compact':
      return ['compact_request_count=+1']
    case 'sub_agent':
      return ['sub_agent_request_count=+1', `agent_request_count=+${usage.requests}`]
  }
}

const exists = (folder: string) =>
  new Refusal('exists', `${folder} exists already. Nothing was written; choose another name.`, { file: folder })

const isLive = (folder: string) =>
  new Refusal(
    'read-only',
    `The agent is running in ${folder}. Nothing was written; close it, or remove its input.fifo if it was killed.`,
    { file: folder }
  )
