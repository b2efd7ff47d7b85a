import { type KeyboardEvent, type ReactNode, useCallback, useId, useMemo, useState } from 'react'
import type { SessionKey } from '#shared/model/keys.ts'
import { VirtualList } from '#renderer/components/virtual-list/VirtualList.tsx'
import { useFates } from '#renderer/state/compactions.ts'
import { useGoTo } from '#renderer/state/actions.ts'
import { useRowHeight } from '#renderer/state/settings.ts'
import css from './FateList.module.css'
import { FateRowView } from './FateRowView.tsx'

interface FateListProps {
  readonly session: SessionKey
  readonly compaction: string
  readonly side: 'before' | 'after'
  readonly label: string
  /** Places of the messages to show, in their order. */
  readonly places: readonly number[]
}

const ahead = 40

/** Messages of one side of a compaction; Enter or a double click shows one in the tree. */
export function FateList({ session, compaction, side, label, places }: FateListProps): ReactNode {
  const goTo = useGoTo()
  const prefix = useId()
  const rowHeight = useRowHeight()
  const [chosen, choose] = useState(0)
  const [range, setRange] = useState({ first: 0, last: -1 })
  const rows = useFates(
    session,
    compaction,
    side,
    places.slice(Math.max(0, range.first - ahead), range.last + 1 + ahead)
  )
  const onRange = useCallback((first: number, last: number) => setRange({ first, last }), [])
  const keyAt = useCallback((at: number) => places[at] ?? -1, [places])
  const positions = useMemo(() => new Map(places.map((place, at) => [place, at])), [places])
  const indexOf = useCallback((key: string | number) => positions.get(Number(key)) ?? -1, [positions])
  const active = Math.min(chosen, places.length - 1)
  const show = (at: number) => {
    const row = rows.get(places[at] ?? -1)
    if (row !== undefined) goTo(session, { entry: row.source })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
    const page = Math.max(1, range.last - range.first - 1)
    const moves: Readonly<Record<string, number>> = {
      ArrowDown: active + 1,
      ArrowUp: active - 1,
      PageDown: active + page,
      PageUp: active - page,
      Home: 0,
      End: places.length - 1
    }
    const to = Object.hasOwn(moves, event.key) ? moves[event.key] : undefined
    if (to === undefined && event.key !== 'Enter') return
    event.preventDefault()
    if (to === undefined) show(active)
    else choose(Math.min(places.length - 1, Math.max(0, to)))
  }
  return (
    <VirtualList
      className={css.list}
      role="grid"
      aria-label={label}
      aria-rowcount={places.length}
      aria-activedescendant={active < 0 ? undefined : `${prefix}${active}`}
      tabIndex={0}
      count={places.length}
      rowHeight={rowHeight}
      active={active}
      keyAt={keyAt}
      indexOf={indexOf}
      onRange={onRange}
      onKeyDown={onKeyDown}
    >
      {(at) => {
        const row = rows.get(places[at] ?? -1)
        return (
          <div
            id={`${prefix}${at}`}
            role="row"
            className={css.row}
            data-fate={row?.fate}
            aria-rowindex={at + 1}
            aria-selected={at === active}
            onClick={() => choose(at)}
            onDoubleClick={() => show(at)}
          >
            <FateRowView row={row} />
          </div>
        )
      }}
    </VirtualList>
  )
}
