import type { ReactNode } from 'react'
import type { MessageHead } from '#shared/contract/context.ts'
import { formatCount, plural } from '#renderer/text/numbers.ts'
import { speakerOf } from '#renderer/text/speakers.ts'
import css from './Context.module.css'

interface MessageLineProps {
  readonly message: MessageHead
  readonly isOpen: boolean
  readonly onToggle: () => void
}

/** A message of a context on one line: who, what, how many tokens; it opens to its whole text. */
export function MessageLine({ message, isOpen, onToggle }: MessageLineProps): ReactNode {
  const { role, kind, tokens, tokensSource, sent, isError, stopReason } = message
  const speaker = message.isResult ? speakerOf('tool-result', null, null) : roleOf(kind, role)
  return (
    <button type="button" className={css.line} data-sent={sent} aria-expanded={isOpen} onClick={onToggle}>
      <span className={css.role} data-tone={speaker.tone}>
        {speaker.name}
      </span>
      <span className={css.preview} dir="auto">
        {isError && <span className={css.failed}>error </span>}
        {(stopReason === 'error' || stopReason === 'aborted') && <span className={css.failed}>{stopReason} </span>}
        {!sent && <span>not sent: </span>}
        {words(message)}
      </span>
      <span className={css.tokens} title={`${plural(tokens, 'token')}, ${tokensSource}`}>
        {tokensSource === 'estimated' ? '~' : ''}
        {formatCount(tokens)}
      </span>
    </button>
  )
}

function words({ preview, calls, images }: MessageHead): string {
  const parts = [
    preview,
    ...calls.map((name) => `calls ${name}`),
    ...(images > 0 ? [plural(images, 'image')] : [])
  ].filter((part) => part !== '')
  return parts.length === 0 ? 'no text' : parts.join(' · ')
}

function roleOf(kind: MessageHead['kind'], role: string) {
  switch (kind) {
    case 'compaction-summary':
      return speakerOf('compaction', null, null)
    case 'branch-summary':
      return speakerOf('branch-summary', null, null)
    case 'system':
      return { name: 'System', tone: 'plain' } as const
    case 'message':
    case 'custom':
      return speakerOf(kind, role, null)
  }
}
