import type { ReactNode } from 'react'
import type { EntryDetail } from '#shared/contract/entry.ts'
import type { ByteRange, EntryRow } from '#shared/model/entry.ts'
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
  const isAnswer = entry.role === 'assistant' && (entry.kind === 'message' || entry.kind === 'response')
  const placed = places.flatMap(([name, member]) => {
    const place = entry[member] ?? null
    return place === null ? [] : [[name, typeof place === 'number' ? formatCount(place) : place] as const]
  })
  // A format may tell these too, with what else it knows of them.
  const told: ReadonlySet<string> = new Set(['Model', ...placed.map(([name]) => name)])
  return [
    ...(entry.model !== null || usage !== null || isAnswer ? [['Model', entry.model ?? unknown] as const] : []),
    ...(usage === null
      ? isAnswer
        ? ([['Tokens and cost', unknown]] as const)
        : []
      : ([
          ['Input, not cached', formatCount(usage.input)],
          ['Cache read', formatCount(usage.cacheRead)],
          ['Cache write', formatCount(usage.cacheWrite)],
          ['Output', formatCount(usage.output)],
          ...(usage.reasoning ? [['Reasoning, in output', formatCount(usage.reasoning)] as const] : []),
          ['Cost', formatCost(usage.cost)]
        ] as const)),
    ...(entry.contextTokens === null ? [] : [['Context', formatCount(entry.contextTokens)] as const]),
    ...facts.filter(([name]) => !told.has(name)),
    ...placed,
    ['Time', formatTime(entry.time)],
    ['Source bytes', sourceText(entry)],
    ...(entry.frame === undefined ? [] : [['Frame in the file', rangeText(entry.frame)] as const])
  ]
}

/** Where a linear store puts an entry. */
const places = [
  ['Run', 'run'],
  ['Turn', 'turn'],
  ['Step', 'step'],
  ['Invocation', 'invocation']
] as const

const rangeText = ([offset, length]: ByteRange): string => `${formatCount(offset)} + ${formatCount(length)}`

function sourceText({ bytes, synthetic }: EntryRow): string {
  if (synthetic === true) return 'in no file yet: the agent writes it when it goes on'
  return bytes === null ? unknown : rangeText(bytes)
}
