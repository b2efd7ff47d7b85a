import clsx from 'clsx'
import type { ReactNode } from 'react'
import type { RawLine } from '#shared/contract/session.ts'
import { Button } from '#renderer/components/button/Button.tsx'
import { formatCount } from '#renderer/text/numbers.ts'
import css from './RawLines.module.css'

interface RawLineRowProps {
  readonly number: number
  /** Distance from the top of the list in pixels. */
  readonly start: number
  /** Undefined until its page has arrived. */
  readonly line: RawLine | undefined
  readonly active: boolean
  readonly selected: boolean
  readonly onChoose: () => void
  readonly onShow: () => void
}

export function RawLineRow(props: RawLineRowProps): ReactNode {
  const { number, start, line, active, selected, onChoose, onShow } = props
  return (
    <div
      id={`raw-line-${number}`}
      role="row"
      aria-rowindex={number + 1}
      aria-selected={selected}
      className={clsx(css.row, active && css.active)}
      style={{ transform: `translateY(${start}px)` }}
      onClick={onChoose}
      onDoubleClick={onShow}
    >
      <span role="gridcell" className={css.number}>
        {formatCount(number)}
      </span>
      <span role="gridcell" className={css.number}>
        {line !== undefined && formatCount(line.offset)}
      </span>
      <span role="gridcell" className={css.number}>
        {line !== undefined && formatCount(line.length)}
      </span>
      <span role="gridcell" className={css.class} data-class={line?.class}>
        {line?.class}
      </span>
      <span role="gridcell" className={css.text}>
        <span className={css.cut}>{line?.text}</span>
        <Button look="link" className={css.show} tabIndex={-1} title="Show the whole line (Space)" onClick={onShow}>
          show
        </Button>
      </span>
    </div>
  )
}
