import clsx from 'clsx'
import type { ReactNode } from 'react'
import { Button } from '#renderer/components/button/Button.tsx'
import { Markdown } from '#renderer/components/markdown/Markdown.tsx'
import { failureOf } from '#renderer/text/failures.ts'
import { formatCount, plural } from '#renderer/text/numbers.ts'
import css from './LongText.module.css'

interface LongTextProps {
  /** What is there of the text, and how to get more of it. */
  readonly whole: {
    readonly text: string
    readonly hasMore: boolean
    readonly loading: boolean
    readonly error: Error | null
    more(): void
  }
  /** Length of the whole text in characters. */
  readonly length: number
  readonly look: 'markdown' | 'plain' | 'mono'
  /** Names the box of a `mono` text. */
  readonly label: string
  readonly onLink: (address: string) => void
}

/** A text that comes in parts, on demand. */
export function LongText({ whole, length, look, label, onLink }: LongTextProps): ReactNode {
  if (length === 0) return <p className={css.empty}>Empty</p>
  return (
    <div>
      {look === 'markdown' && <Markdown text={whole.text} onLink={onLink} />}
      {look === 'plain' && <div className={css.text}>{whole.text}</div>}
      {look === 'mono' && (
        <div className={clsx(css.text, css.mono)} tabIndex={0} role="group" aria-label={label}>
          {whole.text}
        </div>
      )}
      {whole.error !== null && <p className={css.failed}>{failureOf(whole.error).message}</p>}
      {whole.hasMore && (
        <p className={css.more}>
          <Button look="link" disabled={whole.loading} onClick={whole.more}>
            {whole.loading ? 'Reading' : 'Show more'}
          </Button>
          <span>
            {formatCount(whole.text.length)} of {plural(length, 'character')}
          </span>
        </p>
      )}
    </div>
  )
}
