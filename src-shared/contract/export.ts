import * as v from 'valibot'
import { ByteRange } from '#shared/model/entry.ts'
import { FolderKey, WrittenKey } from '#shared/model/keys.ts'
import type { CallMap } from '#shared/rpc/types.ts'
import { sessionInput } from './session.ts'

/** The source's own bytes, the entries in our model (docs/export-normalized.md), or something to read. */
export const exportForms = ['jsonl', 'normalized', 'markdown', 'html'] as const
const ExportAs = v.picklist(exportForms)
export type ExportAs = v.InferOutput<typeof ExportAs>

const secrets = v.array(v.object({ kind: v.string(), count: v.number() }))

/** What `export` prints (docs/command-line.md). */
export const ExportResult = v.object({
  out: v.string(),
  as: ExportAs,
  bytes: v.number(),
  sha256: v.string(),
  entries: v.number(),
  addedLineFeeds: v.number(),
  /** What was replaced, by kind; null where nothing was to be. */
  redacted: v.nullable(secrets),
  /** False for what no agent may take for a session: all that is not the source's own bytes. */
  resumable: v.boolean(),
  source: v.object({ file: v.string(), ranges: v.array(ByteRange) })
})
export type ExportResult = v.InferOutput<typeof ExportResult>

/**
 * With `entry` the path to it; without it the whole file, and of what is there to be read (markdown, html) the path to
 * the default leaf. `as` is jsonl where left out. `redact` replaces what looks like a secret.
 */
const what = {
  ...sessionInput,
  entry: v.optional(v.string()),
  as: v.optional(ExportAs),
  redact: v.optional(v.boolean())
}

export const exportCalls = {
  'export.preview': {
    input: v.object(what),
    output: v.object({
      name: v.string(),
      bytes: v.number(),
      entries: v.number(),
      /** End of the path that it holds; null where it holds every entry. */
      entry: v.nullable(v.string()),
      /** What looks like a secret, by kind: what stays in it, or what is replaced. */
      secrets
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
