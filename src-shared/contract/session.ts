import * as v from 'valibot'
import { AgentId } from '#shared/model/agent.ts'
import { OutlineChange } from '#shared/model/entry.ts'
import { Fault } from '#shared/model/fault.ts'
import { SessionKey } from '#shared/model/keys.ts'
import { lineClasses } from '#shared/model/records.ts'
import { SessionRow } from '#shared/model/session.ts'
import type { CallMap } from '#shared/rpc/types.ts'

/** `agent` reads the session as that store's dialect instead of the one its content shows. */
export const sessionInput = { session: SessionKey, agent: v.optional(AgentId) }

/** Bytes of a session's files by what they are; the four add up (docs/command-line.md, `verify`). */
export const ByteLedger = v.object({
  entries: v.number(),
  faults: v.number(),
  blank: v.number(),
  total: v.number()
})
export type ByteLedger = v.InferOutput<typeof ByteLedger>

/** One line of the file for the raw view. `text` is its first 400 characters. */
export const RawLine = v.object({
  line: v.number(),
  offset: v.number(),
  length: v.number(),
  class: v.picklist(lineClasses),
  entry: v.nullable(v.string()),
  text: v.string()
})
export type RawLine = v.InferOutput<typeof RawLine>

/** One of a session's files; `bytes` are those on disk. */
const SessionFile = v.object({ path: v.string(), bytes: v.number() })

/** Position among the session's files; without it, the main one. */
const file = v.optional(v.number())

export const sessionCalls = {
  /** Newest `updatedAt` first. */
  'session.list': { input: v.object({}), output: v.array(SessionRow) },
  'session.get': { input: v.object(sessionInput), output: SessionRow },
  /** What is new since the outline of that revision; without one, the whole. */
  'session.outline': {
    input: v.object({ ...sessionInput, since: v.optional(v.number()) }),
    output: OutlineChange
  },
  'session.faults': { input: v.object(sessionInput), output: v.array(Fault) },
  /** The main file first. */
  'session.files': { input: v.object(sessionInput), output: v.array(SessionFile) },
  'session.verify': {
    input: v.object(sessionInput),
    output: v.object({ files: v.number(), findings: v.array(Fault), bytes: ByteLedger })
  },
  /** Lines `from`.. (counted from 0) of one of the session's files. */
  'line.page': {
    input: v.object({ ...sessionInput, file, from: v.number(), count: v.pipe(v.number(), v.maxValue(500)) }),
    output: v.object({ total: v.number(), lines: v.array(RawLine) })
  },
  /** Part of one line as text: `limit` bytes from `from` within the line, cut at character borders. */
  'line.text': {
    input: v.object({
      ...sessionInput,
      file,
      line: v.number(),
      from: v.number(),
      limit: v.pipe(v.number(), v.maxValue(262144))
    }),
    output: v.object({ text: v.string(), from: v.number(), length: v.number(), next: v.nullable(v.number()) })
  },
  /** Shows the session's file in the system's file browser; `unsupported` where the shell cannot. */
  'session.reveal': { input: v.object(sessionInput), output: v.null() }
} as const satisfies CallMap
