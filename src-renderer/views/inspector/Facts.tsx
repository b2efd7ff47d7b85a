import type { ReactNode } from 'react'
import type { EntryDetail } from '#shared/contract/entry.ts'
import { formatCost, formatCount, unknown } from '#renderer/text/numbers.ts'
import { formatTime } from '#renderer/text/times.ts'
import css from './Facts.module.css'

/** What was recorded with an entry, a line each: its model, its tokens, where its bytes are. */
export function Facts({ detail }: { readonly detail: EntryDetail }): ReactNode {
  const rows = factsOf(detail)
  return (
    <dl className={css.facts}>
      {rows.map(([name, value], index) => (
        <div key={index} className={css.fact}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

function factsOf({ entry, facts }: Pick<EntryDetail, 'entry' | 'facts'>): readonly (readonly [string, string])[] {
  const { usage } = entry
  const answered = usage !== null || entry.role === 'assistant'
  const tokens = (count: number | null | undefined) => formatCount(count ?? null)
  return [
    ...(entry.model !== null || answered ? [['Model', entry.model ?? unknown] as const] : []),
    ...(answered
      ? ([
          ['Input, not cached', tokens(usage?.input)],
          ['Cache read', tokens(usage?.cacheRead)],
          ['Cache write', tokens(usage?.cacheWrite)],
          ['Output', tokens(usage?.output)],
          ...(usage?.reasoning ? [['Reasoning, in output', tokens(usage.reasoning)] as const] : []),
          ['Cost', formatCost(usage?.cost ?? null)]
        ] as const)
      : []),
    ...(entry.contextTokens === null ? [] : [['Context', formatCount(entry.contextTokens)] as const]),
    // A format may tell the model too, with what else it knows of it.
    ...facts.filter(([name]) => name !== 'Model'),
    ['Time', formatTime(entry.time)],
    ['Source bytes', entry.bytes === null ? unknown : `${formatCount(entry.bytes[0])} + ${formatCount(entry.bytes[1])}`]
  ]
}
