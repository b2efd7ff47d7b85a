import * as v from 'valibot'
import { EntryRow } from '#shared/model/entry.ts'
import { Fault } from '#shared/model/fault.ts'
import { Context } from '#shared/model/message.ts'
import type { CallMap } from '#shared/rpc/types.ts'
import { sessionInput } from './session.ts'

/** A block of an entry as the inspector shows it: long texts are cut, the rest comes by `entry.text`. */
export const DetailBlock = v.object({
  type: v.picklist(['text', 'thinking', 'tool-call', 'tool-result', 'image', 'other']),
  /** Text, thinking, result text, or a call's arguments as indented JSON; "" for images. */
  text: v.string(),
  /** Length of the whole text in characters; greater than `text.length` where it was cut. */
  length: v.number(),
  /** Tool's name, image's MIME type or the block's own type. */
  name: v.nullable(v.string()),
  callId: v.nullable(v.string()),
  isError: v.boolean(),
  /** Size of an image in bytes; null where unknown. */
  bytes: v.nullable(v.number())
})
export type DetailBlock = v.InferOutput<typeof DetailBlock>

/** Where a branch may begin, or why not and which entries are nearest. */
export const BranchPoint = v.variant('kind', [
  v.object({ kind: v.literal('allowed') }),
  v.object({ kind: v.literal('refused'), reason: v.string(), nearest: v.array(v.string()) })
])
export type BranchPoint = v.InferOutput<typeof BranchPoint>

export const EntryDetail = v.object({
  entry: EntryRow,
  blocks: v.array(DetailBlock),
  /** Facts worth a line each, already worded by the format: ["Stop reason", "toolUse"]. */
  facts: v.array(v.tuple([v.string(), v.string()])),
  faults: v.array(Fault),
  children: v.array(v.string()),
  siblings: v.array(v.string()),
  branch: BranchPoint,
  /** Why nothing can be appended to the session's own file: a branch that begins here, a label of this entry. Null where it can be. */
  append: v.object({ branch: v.nullable(v.string()), label: v.nullable(v.string()) }),
  /** True for a message that the person wrote. */
  own: v.boolean()
})
export type EntryDetail = v.InferOutput<typeof EntryDetail>

/** A window asks for rows by pages of so many positions, and the engine keeps those ready that it will ask for first. */
export const rowsAPage = 100

const entryInput = { ...sessionInput, entry: v.string() }

export const entryCalls = {
  /** Rows at the given positions of the outline, in that order; at most 500. */
  'entry.rows': {
    input: v.object({ ...sessionInput, at: v.pipe(v.array(v.number()), v.maxLength(500)) }),
    output: v.array(EntryRow)
  },
  'entry.detail': { input: v.object(entryInput), output: EntryDetail },
  /** Characters `from`.. of a block's text; at most 65,536 at a time. */
  'entry.text': {
    input: v.object({ ...entryInput, block: v.number(), from: v.number() }),
    output: v.object({ text: v.string(), next: v.nullable(v.number()) })
  },
  /** An image block as a data URL; `not-found` where its bytes are missing. */
  'entry.image': { input: v.object({ ...entryInput, block: v.number() }), output: v.object({ url: v.string() }) },
  /** Without `entry`, the store's default entry. */
  'entry.context': {
    input: v.object({ ...sessionInput, entry: v.optional(v.string()) }),
    output: Context
  }
} as const satisfies CallMap
