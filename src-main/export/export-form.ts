import type { ExportAs } from '#shared/contract/export.ts'
import { filterLines } from './filter-lines.ts'
import { gather } from './gather.ts'
import { htmlParts } from './html.ts'
import { markdownParts } from './markdown.ts'
import { normalizedLines } from './normalized.ts'
import type { ExportPlan } from './plan-export.ts'
import type { ReadableSource } from './readable.ts'
import { keepSecrets, type SecretFilter } from './secret-filter.ts'

/** A session or a path of it, in one of the forms. */
export type ExportForm =
  | { readonly as: 'jsonl'; readonly plan: ExportPlan }
  | { readonly as: Exclude<ExportAs, 'jsonl'>; readonly plan: ExportPlan; readonly source: ReadableSource }

/** The bytes of an export, each chunk valid until the next is asked for. Made as they are read; bounded by the largest entry. */
export function exportChunks(form: ExportForm, filter: SecretFilter, signal?: AbortSignal): AsyncIterable<Buffer> {
  switch (form.as) {
    case 'jsonl': {
      const bytes = form.plan.chunks(signal)
      return filter === keepSecrets ? bytes : gather(filterLines(bytes, filter), signal)
    }
    case 'normalized':
      return gather(normalizedLines(form.source, filter, signal), signal)
    case 'markdown':
      return gather(markdownParts(form.source, filter, signal), signal)
    case 'html':
      return gather(htmlParts(form.source, filter, signal), signal)
  }
}
