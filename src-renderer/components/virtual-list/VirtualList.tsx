import { defaultRangeExtractor, observeElementRect, type Range, useVirtualizer } from '@tanstack/react-virtual'
import { clsx } from 'clsx'
import {
  type ComponentProps,
  type ReactNode,
  useCallback,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef
} from 'react'
import css from './VirtualList.module.css'

export interface VirtualListProps extends Omit<ComponentProps<'div'>, 'children' | 'ref'> {
  readonly count: number
  /** Height of every row in CSS pixels. */
  readonly rowHeight: number
  /** The row with the keyboard's attention, -1 for none: always in the DOM, scrolled to when its key changes. */
  readonly active: number
  readonly keyAt: (index: number) => string | number
  /** Where the row of a key stands now, -1 where it is gone; what is seen keeps its place when rows come and go above. */
  readonly indexOf: (key: string | number) => number
  /** Changes when the list grew by itself; it then stays at its end if it was there, and else where it was. */
  readonly growth?: unknown
  /** First and last row in view, both included. */
  readonly onRange?: (first: number, last: number) => void
  readonly children: (index: number) => ReactNode
}

interface Anchor {
  readonly key: string | number
  /** Distance of the row from the top of the view in pixels. */
  readonly offset: number
  readonly atEnd: boolean
}

/** A scrolling list of equal rows of which only those in view are in the DOM. */
export function VirtualList(props: VirtualListProps): ReactNode {
  const { count, rowHeight, active, keyAt, indexOf, growth, onRange, children, className, ...rest } = props
  const scroller = useRef<HTMLDivElement>(null)
  const anchor = useRef<Anchor | null>(null)
  const height = useRef(0)
  const grown = useRef(growth)

  // oxlint-disable-next-line react/incompatible-library -- what it returns is used here only, unmemoized
  const virtualizer = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    getItemKey: keyAt,
    overscan: 10,
    rangeExtractor: useCallback((range: Range) => withActive(defaultRangeExtractor(range), active), [active]),
    observeElementRect: (instance, onRect) => {
      // Before the first rows are chosen, so that they are those around the active one.
      const view = instance.scrollElement
      if (view !== null && active >= 0) {
        bringIntoView(view, active * rowHeight, rowHeight)
        instance.scrollOffset = view.scrollTop
      }
      return observeElementRect(instance, onRect)
    }
  })

  useLayoutEffect(() => virtualizer.measure(), [virtualizer, rowHeight])

  const remember = useCallback(() => {
    const view = scroller.current
    if (view === null || count === 0) return
    // What was seen before the view became lower counts until that is seen to.
    if (anchor.current !== null && view.clientHeight !== height.current) return
    const top = active * rowHeight
    const isActiveSeen = active >= 0 && top >= view.scrollTop && top + rowHeight <= view.scrollTop + view.clientHeight
    const index = isActiveSeen ? active : Math.min(count - 1, Math.floor(view.scrollTop / rowHeight))
    anchor.current = {
      key: keyAt(index),
      offset: index * rowHeight - view.scrollTop,
      atEnd: view.scrollTop + view.clientHeight >= view.scrollHeight - rowHeight
    }
  }, [active, count, keyAt, rowHeight])

  useLayoutEffect(() => {
    const view = scroller.current
    const before = anchor.current
    if (view === null || before === null) return
    const hasGrown = grown.current !== growth
    grown.current = growth
    if (hasGrown && before.atEnd) {
      view.scrollTop = count * rowHeight
      return
    }
    const index = indexOf(before.key)
    if (index >= 0) view.scrollTop = index * rowHeight - before.offset
  }, [count, growth, indexOf, rowHeight])

  const activeKey = active >= 0 && active < count ? keyAt(active) : null
  const shown = useRef<{ readonly key: string | number | null; readonly growth: unknown }>({ key: null, growth })
  useLayoutEffect(() => {
    const view = scroller.current
    const before = shown.current
    shown.current = { key: activeKey, growth }
    if (view === null || activeKey === null || activeKey === before.key) return
    // A row that became active because the list grew is followed only from where the one before was in view.
    if (before.key !== null && before.growth !== growth && before.key !== anchor.current?.key) return
    bringIntoView(view, active * rowHeight, rowHeight)
  }, [active, activeKey, growth, rowHeight])

  const followActive = useEffectEvent(() => {
    const view = scroller.current
    if (view !== null && activeKey !== null && activeKey === anchor.current?.key) {
      bringIntoView(view, active * rowHeight, rowHeight)
    }
    height.current = view?.clientHeight ?? 0
    remember()
  })
  useEffect(() => {
    const view = scroller.current
    if (view === null) return
    const observer = new ResizeObserver(() => followActive())
    observer.observe(view)
    return () => observer.disconnect()
  }, [])

  // Reading the scroll position makes the browser lay out: only when it may have changed.
  useLayoutEffect(remember, [remember])

  const first = virtualizer.range?.startIndex
  const last = virtualizer.range?.endIndex
  useEffect(() => {
    if (first !== undefined && last !== undefined) onRange?.(first, last)
  }, [onRange, first, last])

  return (
    <div ref={scroller} className={clsx(css.scroller, className)} onScroll={remember} {...rest}>
      <div className={css.content} style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map((item) => (
          <div
            key={item.key}
            className={css.row}
            style={{ height: rowHeight, transform: `translateY(${item.start}px)` }}
          >
            {children(item.index)}
          </div>
        ))}
      </div>
    </div>
  )
}

function withActive(indexes: number[], active: number): number[] {
  if (active < 0 || indexes.includes(active)) return indexes
  return active < (indexes[0] ?? 0) ? [active, ...indexes] : [...indexes, active]
}

/** Scrolls as little as needed; to the middle where the row is more than a view away. */
function bringIntoView(view: HTMLElement, top: number, height: number): void {
  const below = top + height - (view.scrollTop + view.clientHeight)
  const above = view.scrollTop - top
  if (above <= 0 && below <= 0) return
  const isFar = Math.max(above, below) > view.clientHeight
  if (isFar) view.scrollTop = top - (view.clientHeight - height) / 2
  else view.scrollTop += above > 0 ? -above : below
}
