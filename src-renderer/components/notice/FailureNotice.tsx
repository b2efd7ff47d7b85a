import type { ReactNode } from 'react'
import { failureOf } from '#renderer/text/failures.ts'
import { Notice } from './Notice.tsx'

interface FailureNoticeProps {
  readonly error: Error
  /** The file that was being looked at, where the error itself names none. */
  readonly file?: string | undefined
  readonly children?: ReactNode
}

/** What went wrong, where, and what to do. */
export function FailureNotice({ error, file, children }: FailureNoticeProps): ReactNode {
  const failure = failureOf(error)
  return (
    <Notice kind="error" title={failure.title} file={failure.file ?? file ?? null}>
      <p>{failure.message}</p>
      {children}
    </Notice>
  )
}
