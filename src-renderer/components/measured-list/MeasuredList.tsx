import { defaultRangeExtractor, type Range, useVirtualizer, type Virtualizer } from '@tanstack/react-virtual'
import { clsx } from 'clsx'
import {
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef
} from 'react'
import css from './MeasuredList.module.css'

export interface MeasuredListProps {
  readonly label: string
  readonly count: number
  /** What an item is likely to take in CSS pixels, until it was in the DOM. */
  readonly estimate: (index: number) => number
  readonly keyAt: (index: number) => string | number
  /** The item with the keyboard's attention, -1 for none: always in the DOM, scrolled to when its key changes. */
  readonly active: number
  readonly onMove: (index: number) => void
  /** An item was clicked, at this element of it. */
  readonly onPick: (index: number, target: Element) => void
  /** Enter was pressed at the active item. */
  readonly onEnter: () => void
  /** First and last item in view or near it, both included. */
  readonly onRange?: (first: number, last: number) => void
  readonly className?: string | undefined
  readonly itemClass?: string | undefined
  /** Whether items are still being fetched. */
  readonly busy?: boolean
  readonly children: (index: number) => ReactNode
}

/** A scrolling list of items as high as they are, of which only those near the view are in the DOM. It follows its end only from there. */
export function MeasuredList(props: MeasuredListProps): ReactNode {
  const {
    label,
    count,
    estimate,
    keyAt,
    active,
    onMove,
    onPick,
    onEnter,
    onRange,
    className,
    itemClass,
    busy,
    children
  } = props
  const scroller = useRef<HTMLDivElement>(null)
  const byKey = useRef(false)

  const virtualizer = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: estimate,
    getItemKey: keyAt,
    overscan: 2,
    anchorTo: 'end',
    followOnAppend: true,
    scrollEndThreshold: 24,
    rangeExtractor: useCallback((range: Range) => withActive(defaultRangeExtractor(range), active), [active])
  })

  const activeKey = active >= 0 && active < count ? keyAt(active) : null
  const shown = useRef<string | number | null>(null)
  useLayoutEffect(() => {
    const before = shown.current
    shown.current = activeKey
    const view = scroller.current
    if (activeKey === null || activeKey === before || view === null) return
    // A list that follows its end is scrolled by that.
    if (before !== null && !byKey.current && active === count - 1 && virtualizer.isAtEnd(24)) return
    bringIntoView(virtualizer, view, active, byKey.current || before === null)
    if (byKey.current) itemOf(view, active)?.focus({ preventScroll: true })
    byKey.current = false
  }, [active, activeKey, count, virtualizer])

  const first = virtualizer.range?.startIndex
  const last = virtualizer.range?.endIndex
  useEffect(() => {
    if (first !== undefined && last !== undefined) onRange?.(first, last)
  }, [onRange, first, last])

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
    const isOwn = event.target === event.currentTarget || event.target === itemOf(event.currentTarget, active)
    if (!isOwn) return
    const to = targetOf(event.key, active, count)
    if (to === null && event.key !== 'Enter') return
    event.preventDefault()
    if (to === null) return onEnter()
    if (to === active) return bringIntoView(virtualizer, event.currentTarget, to, true)
    byKey.current = true
    onMove(to)
  }

  const onClick = ({ target }: MouseEvent<HTMLElement>) => {
    // What does something by itself, and a text that was marked to be copied, choose nothing.
    if (!(target instanceof Element) || target.closest('button, a, input') !== null) return
    if (getSelection()?.isCollapsed === false) return
    const index = target.closest<HTMLElement>('article[data-index]')?.dataset['index']
    if (index !== undefined) onPick(Number(index), target)
  }

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- a feed is moved in by keys
    <div
      ref={scroller}
      className={clsx(css.scroller, className)}
      role="feed"
      aria-label={label}
      aria-busy={busy}
      tabIndex={0}
      onKeyDown={onKeyDown}
      onClick={onClick}
    >
      <div className={css.content} role="presentation" style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ key, index, start }) => (
          <article
            key={key}
            ref={virtualizer.measureElement}
            data-index={index}
            className={clsx(css.item, itemClass)}
            style={{ transform: `translateY(${start}px)` }}
            tabIndex={-1}
            aria-posinset={index + 1}
            aria-setsize={count}
            aria-current={index === active}
          >
            {children(index)}
          </article>
        ))}
      </div>
    </div>
  )
}

function withActive(indexes: number[], active: number): number[] {
  if (active < 0 || indexes.includes(active)) return indexes
  return active < (indexes[0] ?? 0) ? [active, ...indexes] : [...indexes, active]
}

const itemOf = (view: HTMLElement, index: number): HTMLElement | null =>
  view.querySelector<HTMLElement>(`:scope > div > [data-index='${index}']`)

function targetOf(key: string, active: number, count: number): number | null {
  switch (key) {
    case 'ArrowDown':
      return Math.min(count - 1, active + 1)
    case 'ArrowUp':
      return Math.max(0, active - 1)
    case 'Home':
      return 0
    case 'End':
      return count - 1
    default:
      return null
  }
}

/** Scrolls as little as needed. An item that is higher than the view shows its beginning; one that a pointer chose stays where it is seen. */
function bringIntoView(
  virtualizer: Virtualizer<HTMLDivElement, Element>,
  view: HTMLElement,
  index: number,
  whole: boolean
): void {
  const item = virtualizer.measurementsCache[index]
  if (item === undefined) return
  const top = view.scrollTop
  const bottom = top + view.clientHeight
  const isSeen = item.start < bottom && item.end > top
  if (!whole && isSeen) return
  if (item.start >= top && item.end <= bottom) return
  virtualizer.scrollToIndex(index, { align: item.size > view.clientHeight || item.start < top ? 'start' : 'end' })
}
