import { type ReactNode, useState } from 'react'
import type { DetailBlock } from '#shared/contract/entry.ts'
import type { SessionKey } from '#shared/model/keys.ts'
import { LongText } from '#renderer/components/long-text/LongText.tsx'
import { StoredImage } from '#renderer/components/stored-image/StoredImage.tsx'
import { useShowLink } from '#renderer/state/actions.ts'
import { useEntryImage, useEntryText } from '#renderer/state/queries.ts'
import { blockNames } from '#renderer/text/blocks.ts'
import { plural } from '#renderer/text/numbers.ts'
import css from './BlockView.module.css'

interface BlockViewProps {
  readonly session: SessionKey
  readonly entry: string
  /** Position among the entry's blocks. */
  readonly index: number
  readonly block: DetailBlock
  /** Texts of a tool are set in monospace. */
  readonly isToolOutput: boolean
}

/** One block of an entry. Whatever it says, it is text and nothing else. */
export function BlockView(props: BlockViewProps): ReactNode {
  const { block, isToolOutput } = props
  switch (block.type) {
    case 'text':
      return <BlockText {...props} look={isToolOutput ? 'mono' : 'markdown'} />
    case 'thinking':
      return (
        <details className={css.thinking}>
          <summary>Thinking · {plural(block.length, 'character')}</summary>
          <BlockText {...props} look="plain" />
        </details>
      )
    case 'tool-call':
      return (
        <section className={css.tool}>
          <p className={css.caption}>
            Calls <strong>{block.name}</strong>
            {block.callId !== null && <code>{block.callId}</code>}
          </p>
          <BlockText {...props} look="mono" />
        </section>
      )
    case 'tool-result':
      return (
        <section className={css.tool}>
          <p className={css.caption}>
            {block.isError ? <span className={css.failed}>Tool result: error</span> : 'Tool result'}
            {block.callId !== null && <code>{block.callId}</code>}
          </p>
          <BlockText {...props} look="mono" />
        </section>
      )
    case 'image':
      return <BlockImage {...props} />
    case 'other':
      return (
        <section className={css.tool}>
          <p className={css.caption}>
            Block of type <strong>{block.name}</strong>
          </p>
          {block.text !== '' && <BlockText {...props} look="mono" />}
        </section>
      )
  }
}

function BlockText(props: BlockViewProps & { readonly look: 'markdown' | 'plain' | 'mono' }): ReactNode {
  const { session, entry, index, block, look } = props
  const whole = useEntryText(session, entry, index, block.text, block.length)
  const showLink = useShowLink()
  return <LongText whole={whole} length={block.length} look={look} label={blockNames[block.type]} onLink={showLink} />
}

function BlockImage({ session, entry, index, block }: BlockViewProps): ReactNode {
  const [wanted, want] = useState(false)
  const image = useEntryImage(session, entry, index, wanted)
  return (
    <StoredImage
      type={block.name}
      bytes={block.bytes}
      alt={`${block.name ?? 'Picture'} in entry ${entry}`}
      url={image.data?.url}
      loading={image.isFetching}
      error={image.error}
      onShow={() => want(true)}
    />
  )
}
