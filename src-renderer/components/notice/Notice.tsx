import type { ReactNode } from 'react'
import css from './Notice.module.css'

interface NoticeProps {
  readonly title: string
  /** `error` is announced at once, `busy` and `empty` when the reader comes to it. */
  readonly kind?: 'empty' | 'busy' | 'error'
  readonly file?: string | null
  readonly children?: ReactNode
}

/** What a view shows instead of its content: nothing there, not yet, or why not. */
export function Notice({ title, kind = 'empty', file = null, children }: NoticeProps): ReactNode {
  return (
    <div className={css.notice} role={kind === 'error' ? 'alert' : 'status'} data-kind={kind}>
      <p className={css.title}>{title}</p>
      {file !== null && <p className={css.file}>{file}</p>}
      {children !== undefined && <div className={css.body}>{children}</div>}
    </div>
  )
}
