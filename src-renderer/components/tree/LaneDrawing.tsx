import { clsx } from 'clsx'
import { memo, type ReactNode } from 'react'
import type { Stroke } from '#shared/tree/lanes.ts'
import type { Tone } from '#renderer/text/speakers.ts'
import css from './LaneDrawing.module.css'
import type { LaneMetrics } from './lane-metrics.ts'

interface LaneDrawingProps {
  readonly strokes: readonly Stroke[]
  readonly lane: number
  readonly metrics: LaneMetrics
  /** `rest` is the row of a folded linear part. */
  readonly tone: Tone | 'rest'
  readonly isOnPath: boolean
}

/** The lines and the node of one row; the node has the colour `--tone`. */
export const LaneDrawing = memo(function LaneDrawing(props: LaneDrawingProps): ReactNode {
  const { strokes, lane, metrics, tone, isOnPath } = props
  // What is on the path is drawn last, over the rest.
  const ordered = strokes.toSorted((a, b) => Number(a.isPath) - Number(b.isPath))
  return (
    <svg className={css.drawing} width={metrics.width} height={metrics.height} aria-hidden="true">
      {ordered.map((stroke) => (
        <path
          key={`${stroke.kind} ${stroke.lane} ${'to' in stroke ? stroke.to : ''} ${stroke.from}`}
          d={outline(stroke, metrics)}
          className={clsx(css.line, stroke.isPath && css.path, isCrowded(stroke, metrics) && css.crowded)}
        />
      ))}
      <g className={clsx(css.node, isOnPath && css.onPath)}>{nodeShape(tone, metrics.x(lane), metrics.height / 2)}</g>
    </svg>
  )
})

function outline(stroke: Stroke, { x, height }: LaneMetrics): string {
  const middle = height / 2
  const from = x(stroke.lane)
  switch (stroke.kind) {
    case 'through':
      return `M${from} 0V${height}`
    case 'into':
      return `M${from} 0V${middle}`
    case 'out':
      return `M${from} ${middle}V${height}`
    case 'below':
      return `M${from} ${middle}C${from} ${middle + 9} ${x(stroke.to)} ${middle + 2} ${x(stroke.to)} ${height}`
    case 'above':
      return `M${from} 0C${from} ${middle} ${x(stroke.to) - 8} ${middle} ${x(stroke.to)} ${middle}`
  }
}

const isCrowded = (stroke: Stroke, metrics: LaneMetrics): boolean =>
  metrics.isCrowded('to' in stroke ? stroke.to : stroke.lane)

function nodeShape(tone: Tone | 'rest', x: number, middle: number): ReactNode {
  switch (tone) {
    case 'compaction':
      return <rect x={x - 4.5} y={middle - 4.5} width={9} height={9} rx={1.5} />
    case 'branch':
      return <path d={`M${x} ${middle - 6}l6 6l-6 6l-6 -6z`} />
    case 'tool':
      return <circle cx={x} cy={middle} r={3} />
    case 'plain':
      return <circle cx={x} cy={middle} r={2.5} />
    case 'rest':
      return <rect className={css.rest} x={x - 3} y={middle - 7} width={6} height={14} rx={3} />
    case 'user':
    case 'assistant':
      return <circle cx={x} cy={middle} r={4.5} />
  }
}
