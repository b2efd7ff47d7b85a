import type { ReactNode } from 'react'
import type { MessageHead } from '#shared/contract/context.ts'
import type { DetailBlock } from '#shared/contract/entry.ts'
import type { SessionKey } from '#shared/model/keys.ts'
import { Button } from '#renderer/components/button/Button.tsx'
import { LongText } from '#renderer/components/long-text/LongText.tsx'
import { FailureNotice } from '#renderer/components/notice/FailureNotice.tsx'
import { useShowLink } from '#renderer/state/actions.ts'
import { useContextMessage, useContextText } from '#renderer/state/context-queries.ts'
import { blockNames } from '#renderer/text/blocks.ts'
import { formatBytes } from '#renderer/text/numbers.ts'
import css from './Context.module.css'

interface MessageBodyProps {
  readonly session: SessionKey
  /** The entry at whose context the message is looked at. */
  readonly entry: string
  readonly message: MessageHead
  readonly onSource: (entry: string) => void
}

/** All that a message of a context says, and the entries that it comes from. */
export function MessageBody({ session, entry, message, onSource }: MessageBodyProps): ReactNode {
  const blocks = useContextMessage(session, entry, message.index)
  return (
    <div className={css.body} data-body="">
      <Sources sources={message.sources} onSource={onSource} />
      {blocks.error !== null && <FailureNotice error={blocks.error} />}
      {blocks.data?.map((block, index) => (
        <ContextBlock key={index} session={session} entry={entry} index={message.index} block={block} place={index} />
      ))}
      {blocks.data?.length === 0 && <p className={css.caption}>No content</p>}
    </div>
  )
}

/** Where a message comes from; each entry can be looked at. */
export function Sources(props: {
  readonly sources: readonly string[]
  readonly onSource: (entry: string) => void
}): ReactNode {
  return (
    <p className={css.caption}>
      From{' '}
      {props.sources.map((source) => (
        <Button key={source} look="link" title="Select this entry" onClick={() => props.onSource(source)}>
          <code>{source}</code>
        </Button>
      ))}
    </p>
  )
}

function ContextBlock(props: {
  readonly session: SessionKey
  readonly entry: string
  readonly index: number
  readonly block: DetailBlock
  /** Position among the message's blocks. */
  readonly place: number
}): ReactNode {
  const { session, entry, index, block, place } = props
  const whole = useContextText({ session, entry, index, block: place }, block.text, block.length)
  const showLink = useShowLink()
  if (block.type === 'image') {
    return (
      <p className={css.caption}>
        Image · {block.name} · {block.bytes === null ? 'size unknown' : formatBytes(block.bytes)}
      </p>
    )
  }
  const look = block.type === 'text' || block.type === 'thinking' ? 'plain' : 'mono'
  return (
    <div>
      {block.type !== 'text' && (
        <p className={css.caption}>
          {block.type === 'tool-call' ? 'Calls' : block.type === 'other' ? 'Block of type' : blockNames[block.type]}{' '}
          {block.name !== null && <strong>{block.name}</strong>}
        </p>
      )}
      {block.type !== 'other' && (
        <LongText whole={whole} length={block.length} look={look} label={blockNames[block.type]} onLink={showLink} />
      )}
    </div>
  )
}
