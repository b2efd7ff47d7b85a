import { type MouseEvent, type ReactNode, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { Requests } from '#shared/contract/usage.ts'
import { formatTokens } from '#renderer/text/numbers.ts'
import { markerNames, requestText } from '#renderer/text/usage.ts'
import css from './RequestChart.module.css'
import {
  type BarPart,
  highestBar,
  niceCeiling,
  pathsOfBars,
  pathsOfWindows,
  placedMarkers,
  slotWidth
} from './chart-scale.ts'

interface RequestChartProps {
  readonly label: string
  readonly requests: Requests
  readonly parts: readonly BarPart[]
  /** Height of the bars in CSS pixels. */
  readonly height: number
  /** Whether there is a scale, and below the bars, where it is known of any, a lane of how full the context window is. */
  readonly withScale: boolean
  /** The request that is marked, -1 for none; it is scrolled to when it changes. */
  readonly selected: number
  readonly onSelect: (index: number) => void
}

const laneHeight = 30
const laneGap = 10
const wordHeight = 16
const wordWidth = 84
/** Places drawn beyond either edge of the view. */
const beyond = 20

/**
 * A bar a request. However many there are, only those in view are drawn. It says nothing that the table beside it does
 * not say, so it is hidden from those who hear the page.
 */
export function RequestChart(props: RequestChartProps): ReactNode {
  const { label, requests, parts, height, withScale, selected, onSelect } = props
  const scroller = useRef<HTMLDivElement>(null)
  const [view, setView] = useState({ left: 0, width: 0 })
  const count = requests.at.length
  const slot = slotWidth(view.width, count)
  const top = useMemo(() => niceCeiling(highestBar(requests, parts)), [requests, parts])
  const markers = useMemo(() => placedMarkers(requests.markers, slot, wordWidth), [requests, slot])

  useLayoutEffect(() => {
    const element = scroller.current
    if (element === null) return
    const observer = new ResizeObserver(() => setView({ left: element.scrollLeft, width: element.clientWidth }))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])

  useLayoutEffect(() => {
    const element = scroller.current
    if (element === null || selected < 0 || view.width === 0) return
    const left = selected * slot
    if (left >= element.scrollLeft && left + slot <= element.scrollLeft + element.clientWidth) return
    element.scrollLeft = left - (element.clientWidth - slot) / 2
  }, [selected, slot, view.width])

  const first = Math.max(0, Math.floor(view.left / slot) - beyond)
  const last = Math.min(count - 1, Math.ceil((view.left + view.width) / slot) + beyond)
  const [hovered, hover] = useState(-1)
  const withWindow = withScale && requests.windows.some((window) => window !== null)
  const whole = wordHeight + height + 1 + (withWindow ? laneGap + laneHeight : 0)
  const foot = wordHeight + height
  const yOf = (tokens: number) => foot - (tokens / top) * height
  const barPaths = useMemo(
    () => pathsOfBars(requests, parts, { first, last, slot }, { foot, scale: height / top }),
    [requests, parts, first, last, slot, foot, height, top]
  )
  const windows = useMemo(
    () => pathsOfWindows(requests, { first, last, slot }, { foot: foot + laneGap + laneHeight, height: laneHeight }),
    [requests, first, last, slot, foot]
  )
  const at = (event: MouseEvent<SVGSVGElement>) => {
    const index = Math.floor((event.clientX - event.currentTarget.getBoundingClientRect().left) / slot)
    return index < count ? index : -1
  }

  return (
    <div className={css.chart}>
      {withScale && (
        <svg className={css.axis} width="48" height={whole} aria-hidden="true">
          <text x="44" y={wordHeight + 4}>
            {formatTokens(top)}
          </text>
          <text x="44" y={wordHeight + height / 2 + 4}>
            {formatTokens(top / 2)}
          </text>
          <text x="44" y={foot}>
            0
          </text>
          {withWindow && (
            <text x="44" y={foot + laneGap + laneHeight / 2 + 4}>
              window
            </text>
          )}
        </svg>
      )}
      <div
        ref={scroller}
        className={css.scroller}
        role="group"
        aria-label={label}
        tabIndex={0}
        onScroll={({ currentTarget }) => setView((before) => ({ ...before, left: currentTarget.scrollLeft }))}
      >
        <svg
          width={Math.max(view.width, count * slot)}
          height={whole}
          aria-hidden="true"
          onClick={(event) => {
            if (at(event) >= 0) onSelect(at(event))
          }}
          onMouseMove={(event) => hover(at(event))}
        >
          {hovered >= 0 && hovered < count && <title>{requestText(requests, hovered)}</title>}
          {selected >= first && selected <= last && (
            <rect
              className={css.selected}
              x={selected * slot}
              width={slot}
              y={wordHeight}
              height={whole - wordHeight}
            />
          )}
          {withScale && <line className={css.grid} x1="0" x2="100%" y1={yOf(top)} y2={yOf(top)} />}
          {withScale && <line className={css.grid} x1="0" x2="100%" y1={yOf(top / 2)} y2={yOf(top / 2)} />}
          {barPaths.map(({ part, isInherited, path }) => (
            <path
              key={`${part} ${isInherited}`}
              className={css.bars}
              data-part={part}
              data-inherited={isInherited}
              d={path}
            />
          ))}
          {withWindow && <path className={css.window} d={windows.whole} />}
          {withWindow && <path className={css.filled} d={windows.filled} />}
          <line className={css.foot} x1="0" x2="100%" y1={foot + 0.5} y2={foot + 0.5} />
          {markers.map(({ before, kind, isNamed }) =>
            before < first || before > last + 1 ? null : (
              <g key={before} className={css.marker} data-kind={kind}>
                <line
                  x1={lineAt(before, slot, count)}
                  x2={lineAt(before, slot, count)}
                  // Below the words: one may reach over it.
                  y1={isNamed ? 2 : wordHeight}
                  y2={foot}
                />
                {isNamed && (
                  <text
                    x={lineAt(before, slot, count) + (before >= count ? -5 : 5)}
                    y="11"
                    textAnchor={before >= count ? 'end' : 'start'}
                  >
                    {markerNames[kind]}
                  </text>
                )}
              </g>
            )
          )}
        </svg>
      </div>
    </div>
  )
}

/** Within the drawing also in front of the first request and behind the last. */
const lineAt = (before: number, slot: number, count: number): number =>
  Math.min(count * slot - 1, Math.max(1, before * slot))
