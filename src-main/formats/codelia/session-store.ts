import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { appendLines } from '#main/platform/append-lines.ts'
import { createFileSync } from '#main/platform/create-file-sync.ts'
import { Refusal } from '#shared/contract/refusal.ts'
import { isObject, jsonLine, refuseInput, requireTime, requireNewId } from './checked.ts'
import { type CustomRecord, type SessionHeader, type SessionRecord, recordTypes } from './records.ts'
import { readRecords, runFilePath, type StoredRecord } from './run-file.ts'

const hasSequence: ReadonlySet<string> = new Set(['agent.event', 'llm.request', 'llm.response'])
const ownType = /^x\.[^.]+\../

/**
 * The file of one run, which only ever grows: the header when it is made, then a line for each record, on disk when
 * `append` returns. Whatever is refused throws an `Error` with a `code` such as `invalid-input`, `exists` or `stale`, and
 * leaves the file as it was.
 */
export class SessionStore {
  readonly filePath: string
  readonly #runId: string
  /** Invocations by `seq`: false until they are answered. */
  readonly #answered: Map<number, boolean>
  #size: number

  private constructor(filePath: string, runId: string, answered: Map<number, boolean>, size: number) {
    this.filePath = filePath
    this.#runId = runId
    this.#answered = answered
    this.#size = size
  }

  /** Begins a run: its file, below the day on which it was started, with the header. Refused as `exists` where it is there. */
  static create(sessionsFolder: string, header: SessionHeader): SessionStore {
    if (!isObject(header) || header.type !== 'header' || header.schema_version !== 1)
      refuseInput('A run begins with a header of schema version 1.')
    if (header.session_id !== undefined) requireNewId(header.session_id, 'session_id')
    const path = runFilePath(resolve(sessionsFolder), header)
    const line = jsonLine(header)
    createFileSync(path, line)
    return new SessionStore(path, header.run_id, new Map(), Buffer.byteLength(line))
  }

  /**
   * A run that is there, to be written on. A last line that a crash has cut stays, and readers pass over it. Refused as
   * `not-found`, and as `unsupported` where the file does not begin with a header of schema version 1.
   */
  static async open(filePath: string): Promise<SessionStore> {
    const path = resolve(filePath)
    const stats = statSync(path, { throwIfNoEntry: false })
    if (!stats?.isFile()) throw new Refusal('not-found', `There is no file ${path}.`, { file: path })
    const answered = new Map<number, boolean>()
    let header: StoredRecord | undefined
    for await (const record of readRecords(path)) {
      header ??= record
      note(answered, record)
    }
    const runId = header?.['run_id']
    if (header?.type === 'header' && header['schema_version'] === 1 && typeof runId === 'string')
      return new SessionStore(path, runId, answered, stats.size)
    throw new Refusal('unsupported', `${path} does not begin with the header of a run, of schema version 1.`, {
      file: path
    })
  }

  /**
   * Adds a record, as it is at this moment, behind all others. Types that codelia does not know need a name such as
   * `x.acme.note`. An answer needs the request of its `seq`, and each `seq` is asked and answered once.
   */
  append(record: Exclude<SessionRecord, SessionHeader> | CustomRecord): void {
    this.#requireFitting(record)
    const { offset, bytes } = appendLines(this.filePath, jsonLine(record), this.#size)
    note(this.#answered, record)
    this.#size = offset + bytes
  }

  #requireFitting(record: unknown): void {
    if (!isObject(record) || typeof record['type'] !== 'string') refuseInput('A record is an object with a type.')
    const { type, run_id: runId, ts, seq } = record as unknown as StoredRecord
    if (type === 'header') refuseInput('The header is written once, when the run begins.')
    if (!recordTypes.has(type) && !ownType.test(type))
      refuseInput(`codelia has no record ${type}; a type of your own needs a name such as x.acme.note.`)
    if (runId !== this.#runId) refuseInput(`The record is of run ${String(runId)}, the file of ${this.#runId}.`)
    requireTime(ts, 'ts')
    if (hasSequence.has(type) && !Number.isSafeInteger(seq)) refuseInput('seq must be a whole number.')
    const isAnswered = this.#answered.get(seq as number)
    if (type === 'llm.request' && isAnswered !== undefined) refuseInput(`There is a request ${String(seq)} already.`)
    if (type === 'llm.response' && isAnswered !== false)
      refuseInput(`There is no request ${String(seq)} that waits for an answer.`)
  }
}

function note(answered: Map<number, boolean>, { type, seq }: { readonly type: string; readonly seq?: unknown }): void {
  if (typeof seq !== 'number') return
  if (type === 'llm.request') answered.set(seq, false)
  if (type === 'llm.response') answered.set(seq, true)
}
