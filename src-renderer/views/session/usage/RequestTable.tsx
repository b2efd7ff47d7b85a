import { type KeyboardEvent, type ReactNode, useCallback, useState } from 'react'
import type { Requests } from '#shared/contract/usage.ts'
import { entryKinds, type Outline } from '#shared/model/entry.ts'
import type { SessionKey } from '#shared/model/keys.ts'
import { hitRate, sumUsage, type Usage } from '#shared/model/usage.ts'
import { VirtualList } from '#renderer/components/virtual-list/VirtualList.tsx'
import { useGoTo } from '#renderer/state/actions.ts'
import { formatCost, formatCount, formatShare, formatTokens, plural } from '#renderer/text/numbers.ts'
import { speakerOf } from '#renderer/text/speakers.ts'
import { formatClock, formatTime } from '#renderer/text/times.ts'
import { useRowHeight } from '#renderer/state/settings.ts'
import css from './RequestTable.module.css'

interface RequestTableProps {
  readonly session: SessionKey
  readonly outline: Outline
  readonly requests: Requests
  readonly selected: number
  readonly onSelect: (index: number) => void
}

const heads = [
  '#',
  'Time',
  'Request',
  'Cache read',
  'Cache write',
  'Uncached',
  'Output',
  'Total',
  'Hit rate',
  'Context',
  'Cost'
]

const keyAt = (index: number): number => index

/** The same numbers as the chart has, and what they come to. Enter or a double click shows a request in the tree. */
export function RequestTable({ session, outline, requests, selected, onSelect }: RequestTableProps): ReactNode {
  const goTo = useGoTo()
  const rowHeight = useRowHeight()
  const [range, setRange] = useState({ first: 0, last: 0 })
  const onRange = useCallback((first: number, last: number) => setRange({ first, last }), [])
  const count = requests.at.length
  const indexOf = useCallback((key: string | number) => (Number(key) < count ? Number(key) : -1), [count])
  const totals = totalsOf(requests)
  const show = (index: number) => {
    const entry = outline.ids[requests.at[index] ?? -1]
    if (entry !== undefined) goTo(session, { entry })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
    const page = Math.max(1, range.last - range.first - 1)
    const moves: Readonly<Record<string, number>> = {
      ArrowDown: selected + 1,
      ArrowUp: selected - 1,
      PageDown: selected + page,
      PageUp: selected - page,
      Home: 0,
      End: count - 1
    }
    const to = Object.hasOwn(moves, event.key) ? moves[event.key] : undefined
    if (to === undefined && event.key !== 'Enter') return
    event.preventDefault()
    if (to === undefined) show(selected)
    else onSelect(Math.min(count - 1, Math.max(0, to)))
  }
  return (
    <div className={css.wide}>
      <div className={css.grid}>
        <div id="request-heads" role="rowgroup" className={css.fixed}>
          <div role="row" className={css.head} aria-rowindex={1}>
            {heads.map((head) => (
              <span key={head} role="columnheader">
                {head}
              </span>
            ))}
          </div>
          {totals.map(([name, usage], index) => (
            <div key={name} role="row" className={css.total} aria-rowindex={index + 2}>
              <span role="rowheader" className={css.name}>
                {name}
              </span>
              <UsageCells usage={usage} />
              <span role="gridcell" aria-label="no context" />
              <span role="gridcell">{formatCost(usage.cost)}</span>
            </div>
          ))}
        </div>
        <VirtualList
          className={css.list}
          role="grid"
          aria-label="Requests"
          aria-owns="request-heads"
          aria-rowcount={count + totals.length + 1}
          aria-activedescendant={selected < 0 ? undefined : `request-${selected}`}
          tabIndex={0}
          onKeyDown={onKeyDown}
          count={count}
          rowHeight={rowHeight}
          active={selected}
          keyAt={keyAt}
          indexOf={indexOf}
          growth={requests}
          onRange={onRange}
        >
          {(index) => (
            <div
              id={`request-${index}`}
              role="row"
              className={css.row}
              data-inherited={requests.inherited[index] === 1}
              aria-rowindex={index + totals.length + 2}
              aria-selected={index === selected}
              onClick={() => onSelect(index)}
              onDoubleClick={() => show(index)}
            >
              <RequestCells outline={outline} requests={requests} index={index} />
            </div>
          )}
        </VirtualList>
      </div>
    </div>
  )
}

/** By `requestKinds`; an answer is named by its entry. */
const kindNames = [undefined, 'Attempt', 'Beside the conversation', 'Compaction', 'Sub-agent']

type Figures = Pick<Usage, 'input' | 'cacheRead' | 'cacheWrite' | 'output' | 'total' | 'cost'>

function RequestCells(props: {
  readonly outline: Outline
  readonly requests: Requests
  readonly index: number
}): ReactNode {
  const { outline, requests, index } = props
  const usage = usageAt(requests, index)
  const window = requests.windows[requests.models[index] ?? -1] ?? null
  const context = requests.contextTokens[index] ?? null
  const time = requests.times[index] ?? null
  const model = requests.modelNames[requests.models[index] ?? -1]
  return (
    <>
      <span role="gridcell">{formatCount(index + 1)}</span>
      <span role="gridcell" title={formatTime(time === null ? null : new Date(time).toISOString())}>
        {formatClock(time)}
      </span>
      <span role="gridcell" className={css.what} title={model}>
        {requests.inherited[index] === 1 && 'repeated · '}
        {kindNames[requests.kinds[index] ?? 0] ?? whatOf(outline, requests.at[index] ?? -1)}
        {model !== undefined && ` · ${model.slice(model.indexOf('/') + 1)}`}
      </span>
      <UsageCells usage={usage} />
      <span role="gridcell" title={window === null ? 'The model’s window is unknown' : `Of ${formatCount(window)}`}>
        {context === null ? '–' : formatTokens(context)}
        {context !== null && window !== null && ` · ${formatShare(context / window)}`}
      </span>
      <span role="gridcell">{formatCost(usage.cost)}</span>
    </>
  )
}

function UsageCells({ usage }: { readonly usage: Figures }): ReactNode {
  return (
    <>
      {[usage.cacheRead, usage.cacheWrite, usage.input, usage.output, usage.total].map((tokens, at) => (
        <span key={at} role="gridcell">
          {formatCount(tokens)}
        </span>
      ))}
      <span role="gridcell">{formatShare(hitRate(usage))}</span>
    </>
  )
}

function whatOf({ kinds, roles, roleNames }: Outline, at: number): string {
  return speakerOf(entryKinds[kinds[at] ?? -1] ?? 'unknown', roleNames[roles[at] ?? -1] ?? null, null).name
}

const usageAt = (requests: Requests, index: number): Figures => ({
  input: requests.input[index] ?? null,
  cacheRead: requests.cacheRead[index] ?? null,
  cacheWrite: requests.cacheWrite[index] ?? null,
  output: requests.output[index] ?? null,
  total: requests.total[index] ?? null,
  cost: requests.cost[index] ?? null
})

/** What the path and the whole session come to; what a fork repeats of its parent stands apart. */
function totalsOf({ totals, session }: Requests): readonly (readonly [name: string, usage: Usage])[] {
  const named = (name: string, usage: Usage) => [`${name}: ${plural(usage.requests, 'request')}`, usage] as const
  return [
    named('This path', totals.own),
    ...(totals.repeated.requests > 0 ? [named('Repeated from its parent', totals.repeated)] : []),
    named('Whole session', session.own),
    ...(session.repeated.requests > 0 ? [named('Whole session, repeated', session.repeated)] : []),
    ...(session.beside.requests > 0 ? [named('Beside the conversation', session.beside)] : [])
  ]
}

/** All that stands in the chart: a fork's own requests and those it repeats. */
export const wholePath = ({ totals }: Requests): Usage => sumUsage([totals.own, totals.repeated])
