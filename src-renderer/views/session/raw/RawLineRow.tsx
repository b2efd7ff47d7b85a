import clsx from 'clsx'
import { type ReactNode, useEffect } from 'react'
import type { RawLine } from '#shared/contract/session.ts'
import type { SessionKey } from '#shared/model/keys.ts'
import { Button } from '#renderer/components/button/Button.tsx'
import { useLineText } from '#renderer/state/queries.ts'
import { formatCount } from '#renderer/text/numbers.ts'
import css from './RawLines.module.css'

interface RawLineRowProps {
  readonly measure: (element: Element | null) => void
  readonly index: number
  readonly start: number
  readonly session: SessionKey
  /** Undefined until its page has arrived. */
  readonly line: RawLine | undefined
  readonly active: boolean
  readonly selected: boolean
  readonly unfolded: boolean
  readonly onChoose: (line: number) => void
  readonly onToggle: (line: number) => void
}

export function RawLineRow(props: RawLineRowProps): ReactNode {
  const { measure, index, start, session, line, active, selected, unfolded, onChoose, onToggle } = props
  const number = index + 1
  return (
    <div
      ref={measure}
      data-index={index}
      id={`raw-line-${number}`}
      role="row"
      aria-rowindex={number + 1}
      aria-selected={selected}
      className={clsx(css.row, active && css.active, unfolded && css.unfolded)}
      style={{ transform: `translateY(${start}px)` }}
      onClick={() => onChoose(number)}
    >
      <span role="gridcell" className={css.number}>
        {formatCount(number)}
      </span>
      <span role="gridcell" className={css.number}>
        {line === undefined ? '' : formatCount(line.offset)}
      </span>
      <span role="gridcell" className={css.number}>
        {line === undefined ? '' : formatCount(line.length)}
      </span>
      <span role="gridcell" className={css.class} data-class={line?.class}>
        {line?.class}
      </span>
      <span role="gridcell" className={css.text}>
        {line !== undefined &&
          (unfolded ? (
            <WholeLine session={session} line={line} onFold={() => onToggle(number)} />
          ) : (
            <>
              <span className={css.cut}>{line.text}</span>
              {line.length > 80 && (
                <Button look="link" className={css.more} tabIndex={-1} onClick={() => onToggle(number)}>
                  show
                </Button>
              )}
            </>
          ))}
      </span>
    </div>
  )
}

function WholeLine(props: {
  readonly session: SessionKey
  readonly line: RawLine
  readonly onFold: () => void
}): ReactNode {
  const whole = useLineText(props.session, props.line)
  const { isCut, more } = whole
  useEffect(() => {
    if (isCut) more()
  }, [isCut, more])
  return (
    <span className={css.whole}>
      <span className={css.wholeText}>{whole.text}</span>
      {whole.error !== null && <span className={css.problem}>{whole.error.message}</span>}
      <span className={css.wholeActions}>
        {whole.hasMore && (
          <Button look="link" disabled={whole.loading} onClick={whole.more}>
            {whole.loading ? 'Reading' : 'Show more'}
          </Button>
        )}
        <Button look="link" onClick={props.onFold}>
          Show less
        </Button>
      </span>
    </span>
  )
}
