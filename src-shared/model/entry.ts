import * as v from 'valibot'
import { Usage } from './usage.ts'

export const entryKinds = [
  'message',
  'compaction',
  'branch-summary',
  'custom',
  'label',
  'model-change',
  'thinking-change',
  'session-info',
  'usage',
  'boundary',
  'request',
  'response',
  'tool-call',
  'tool-result',
  'event',
  'unknown'
] as const
export const EntryKind = v.picklist(entryKinds)
export type EntryKind = v.InferOutput<typeof EntryKind>

/** [offset, length] in bytes of the file (in the decoded stream for files of frames). */
export const ByteRange = v.tuple([v.number(), v.number()])
export type ByteRange = v.InferOutput<typeof ByteRange>

/** An entry as the command line prints it (docs/command-line.md). `line` counts from 1; `preview` is at most 200 characters. */
export const Entry = v.object({
  id: v.string(),
  parent: v.nullable(v.string()),
  kind: EntryKind,
  role: v.nullable(v.string()),
  time: v.nullable(v.string()),
  preview: v.string(),
  bytes: v.nullable(ByteRange),
  /** Where the frames that hold it lie in the file; absent where bytes of the file are not framed. */
  frame: v.optional(ByteRange),
  line: v.nullable(v.number()),
  label: v.nullable(v.string()),
  model: v.nullable(v.string()),
  usage: v.nullable(Usage),
  onDefaultPath: v.boolean(),
  /** There where it lies in no file: the agent would write it when it goes on with the session. */
  synthetic: v.optional(v.literal(true)),
  /** Where a linear store puts it, null where that says nothing; absent for stores whose entries form a tree. */
  turn: v.optional(v.nullable(v.number())),
  step: v.optional(v.nullable(v.number())),
  run: v.optional(v.nullable(v.string())),
  invocation: v.optional(v.nullable(v.number()))
})
export type Entry = v.InferOutput<typeof Entry>

/** A badge on a row, one or two words: what became of the entry, or what it is. `why` is the sentence behind it. */
export const Mark = v.object({
  text: v.string(),
  tone: v.picklist(['plain', 'good', 'warning', 'error']),
  why: v.string()
})
export type Mark = v.InferOutput<typeof Mark>

/** A line about the whole session; `detail` is text of several lines behind it, null where there is no more to say. */
export const Note = v.object({
  tone: v.picklist(['info', 'warning']),
  text: v.string(),
  detail: v.nullable(v.string())
})
export type Note = v.InferOutput<typeof Note>

/** An entry with what a tree row shows: who speaks and about what. */
export const EntryRow = v.object({
  ...Entry.entries,
  /** Position in the session's outline. */
  at: v.number(),
  /** Position of its file among the session's files; 0 is the main one. */
  file: v.number(),
  /** Name of the tool for a tool's result or a shell command, else null. */
  tool: v.nullable(v.string()),
  /** One line for the row: a message's first words, a tool's main argument and result size, a compaction's sizes. */
  summary: v.string(),
  /** Tokens in the context once this answer was given, as recorded with it; null where nothing was recorded. */
  contextTokens: v.nullable(v.number()),
  /** True where the answer failed, was aborted, or the tool reported an error. */
  failed: v.boolean(),
  marks: v.array(Mark)
})
export type EntryRow = v.InferOutput<typeof EntryRow>

export const Leaf = v.object({ id: v.string(), depth: v.number(), time: v.nullable(v.string()) })
export type Leaf = v.InferOutput<typeof Leaf>

const leafReasons = ['only-leaf', 'last-entry', 'empty'] as const
export const DefaultLeaf = v.object({ id: v.nullable(v.string()), reason: v.picklist(leafReasons) })
export type DefaultLeaf = v.InferOutput<typeof DefaultLeaf>

/**
 * The whole tree without content, in columns, so that 100,000 entries cross a channel cheaply.
 * Index i of each column is the i-th entry in file order. Never nested.
 */
export const Outline = v.object({
  revision: v.number(),
  ids: v.array(v.string()),
  /** Index of the parent, or -1 for a root. A parent may stand later in the file. */
  parents: v.array(v.number()),
  /** Index into `entryKinds`. */
  kinds: v.array(v.number()),
  /** Index into `roleNames`, or -1. */
  roles: v.array(v.number()),
  roleNames: v.array(v.string()),
  labels: v.array(v.object({ at: v.number(), label: v.string() })),
  leaves: v.array(Leaf),
  defaultLeaf: DefaultLeaf,
  /** True where the whole tree can be forked. */
  canFork: v.optional(v.boolean()),
  notes: v.array(Note)
})
export type Outline = v.InferOutput<typeof Outline>

/**
 * What became of an outline: each of its lists goes on behind as many members as are `kept` of the outline that was
 * asked about, none where that one is not known any more.
 */
export const OutlineChange = v.object({
  ...Outline.entries,
  kept: v.object({
    /** Of `ids`, `parents`, `kinds` and `roles`. */
    entries: v.number(),
    roleNames: v.number(),
    labels: v.number(),
    leaves: v.number()
  })
})
export type OutlineChange = v.InferOutput<typeof OutlineChange>
