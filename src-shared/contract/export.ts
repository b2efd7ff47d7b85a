import * as v from 'valibot'
import { ByteRange } from '#shared/model/entry.ts'
import { FolderKey, WrittenKey } from '#shared/model/keys.ts'
import type { CallMap } from '#shared/rpc/types.ts'
import { sessionInput } from './session.ts'

/** What `export` prints (CLI.md). */
export const ExportResult = v.object({
  out: v.string(),
  bytes: v.number(),
  sha256: v.string(),
  entries: v.number(),
  addedLineFeeds: v.number(),
  source: v.object({ file: v.string(), ranges: v.array(ByteRange) })
})
export type ExportResult = v.InferOutput<typeof ExportResult>

/** Without `entry` the whole file, with it the path to that entry. */
const what = { ...sessionInput, entry: v.optional(v.string()) }

export const exportCalls = {
  'export.preview': {
    input: v.object(what),
    output: v.object({
      name: v.string(),
      bytes: v.number(),
      entries: v.number(),
      secrets: v.array(v.object({ kind: v.string(), count: v.number() }))
    })
  },
  /** Writes `name` into a folder from the picker or an offer, or, where `into` is null, hands a download to the page. Never overwrites. */
  'export.write': {
    input: v.object({ ...what, into: v.nullable(FolderKey), name: v.string() }),
    output: v.object({
      result: ExportResult,
      written: WrittenKey,
      /** Path of the download below the page's own origin, else null. */
      download: v.nullable(v.string())
    })
  },
  /** Asks the shell's own save dialog for the target; null when the person cancels; `unsupported` without one. */
  'export.dialog': {
    input: v.object({ ...what, name: v.string() }),
    output: v.nullable(v.object({ result: ExportResult, written: WrittenKey }))
  }
} as const satisfies CallMap
