import type { ReactNode } from 'react'
import { failureOf } from '#renderer/text/failures.ts'
import { Notice } from './Notice.tsx'

/** What went wrong, where, and what to do. */
export function FailureNotice({
  error,
  children
}: {
  readonly error: Error
  readonly children?: ReactNode
}): ReactNode {
  const { title, message, file } = failureOf(error)
  return (
    <Notice kind="error" title={title} file={file}>
      <p>{message}</p>
      {children}
    </Notice>
  )
}
