import { type ReactNode, useEffect } from 'react'
import type { RawLine } from '#shared/contract/session.ts'
import type { SessionKey } from '#shared/model/keys.ts'
import { Button } from '#renderer/components/button/Button.tsx'
import { useLineText } from '#renderer/state/queries.ts'
import { failureOf } from '#renderer/text/failures.ts'
import { formatCount } from '#renderer/text/numbers.ts'
import css from './WholeLine.module.css'

interface WholeLineProps {
  readonly session: SessionKey
  readonly file: number
  readonly line: RawLine
  readonly onClose: () => void
}

/** The text of one line below the list, part by part where it is long. */
export function WholeLine({ session, file, line, onClose }: WholeLineProps): ReactNode {
  const whole = useLineText(session, file, line)
  const { isCut, more } = whole
  useEffect(() => {
    if (isCut) more()
  }, [isCut, more])
  return (
    <section className={css.whole} aria-label={`Line ${formatCount(line.line)}`}>
      <header className={css.head}>
        <h3>Line {formatCount(line.line)}</h3>
        <code className={css.place}>
          {formatCount(line.offset)} + {formatCount(line.length)} bytes · {line.class}
        </code>
        <Button look="quiet" title="Hide the line (Space)" onClick={onClose}>
          Hide
        </Button>
      </header>
      <div className={css.text} tabIndex={0} role="region" aria-label="Text of the line">
        {whole.text}
        {whole.error !== null && <p className={css.problem}>{failureOf(whole.error).message}</p>}
        {whole.hasMore && (
          <p className={css.more}>
            <Button look="link" disabled={whole.loading} onClick={more}>
              {whole.loading ? 'Reading' : 'Show more'}
            </Button>
          </p>
        )}
      </div>
    </section>
  )
}
