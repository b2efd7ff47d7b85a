import type { KeyboardEvent, PointerEvent, ReactNode } from 'react'
import css from './Splitter.module.css'

interface SplitterProps {
  readonly label: string
  /** Width of the pane in pixels. */
  readonly value: number
  readonly min: number
  readonly max: number
  /** On which side of the splitter its pane lies. */
  readonly pane: 'before' | 'after'
  readonly controls: string
  readonly onResize: (width: number) => void
}

const step = 16

/** The line between two panes: dragged, or moved with the arrow keys, Home and End. */
export function Splitter({ label, value, min, max, pane, controls, onResize }: SplitterProps): ReactNode {
  const sign = pane === 'before' ? 1 : -1
  const onKeyDown = (event: KeyboardEvent) => {
    const target =
      event.key === 'ArrowRight'
        ? value + sign * step
        : event.key === 'ArrowLeft'
          ? value - sign * step
          : event.key === 'Home'
            ? min
            : event.key === 'End'
              ? max
              : null
    if (target === null) return
    event.preventDefault()
    onResize(target)
  }
  const onPointerDown = (event: PointerEvent<HTMLDivElement>) => {
    if (event.button !== 0) return
    const line = event.currentTarget
    const start = event.clientX
    const drag = (move: globalThis.PointerEvent) => onResize(value + sign * (move.clientX - start))
    line.setPointerCapture(event.pointerId)
    line.addEventListener('pointermove', drag)
    line.addEventListener('lostpointercapture', () => line.removeEventListener('pointermove', drag), { once: true })
  }
  return (
    <div
      className={css.splitter}
      role="separator"
      aria-orientation="vertical"
      aria-label={label}
      aria-controls={controls}
      aria-valuenow={value}
      aria-valuemin={min}
      aria-valuemax={max}
      tabIndex={0}
      onKeyDown={onKeyDown}
      onPointerDown={onPointerDown}
    />
  )
}
