import type { ReactNode } from 'react'
import type { MessageHead } from '#shared/contract/context.ts'
import type { SessionKey } from '#shared/model/keys.ts'
import { TextDifference } from '#renderer/components/diff/TextDifference.tsx'
import { FailureNotice } from '#renderer/components/notice/FailureNotice.tsx'
import { useContextDifference } from '#renderer/state/context-queries.ts'
import css from './Context.module.css'
import { Sources } from './MessageBody.tsx'

interface DifferenceProps {
  readonly session: SessionKey
  readonly left: string
  readonly right: string
  /** The message as the left side has it. */
  readonly message: MessageHead
  readonly onSource: (entry: string) => void
}

/** How the text of one message differs between two contexts, line by line. */
export function Difference({ session, left, right, message, onSource }: DifferenceProps): ReactNode {
  const difference = useContextDifference(session, left, right, message.index)
  const found = difference.data
  return (
    <div className={css.body} data-body="">
      <Sources sources={message.sources} onSource={onSource} />
      {difference.error !== null && <FailureNotice error={difference.error} />}
      {found !== undefined && <TextDifference difference={found} removed="only left" added="only right" />}
    </div>
  )
}
