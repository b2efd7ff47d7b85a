import type { ReactNode } from 'react'
import type { MessageHead } from '#shared/contract/context.ts'
import type { SessionKey } from '#shared/model/keys.ts'
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

const marks = { same: ' ', removed: '-', added: '+' } as const
const words = { same: undefined, removed: 'only left', added: 'only right' } as const

/** How the text of one message differs between two contexts, line by line. */
export function Difference({ session, left, right, message, onSource }: DifferenceProps): ReactNode {
  const difference = useContextDifference(session, left, right, message.index)
  const found = difference.data
  return (
    <div className={css.body} data-body="">
      <Sources sources={message.sources} onSource={onSource} />
      {difference.error !== null && <FailureNotice error={difference.error} />}
      {found?.kind === 'too-different' && (
        <p className={css.caption}>The texts differ too much to be compared line by line.</p>
      )}
      {found?.kind === 'parts' && (
        <pre className={css.diff} tabIndex={0} role="group" aria-label="Difference">
          {found.parts.map(({ change, text }, index) => (
            <span key={index} data-change={change} title={words[change]}>
              {marked(text, marks[change])}
            </span>
          ))}
        </pre>
      )}
      {found?.kind === 'parts' && found.isCut && <p className={css.caption}>The rest of the difference is left out.</p>}
    </div>
  )
}

/** Each line with its mark in front. */
function marked(text: string, mark: string): string {
  const lines = (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n')
  return lines.map((line) => `${mark} ${line}\n`).join('')
}
