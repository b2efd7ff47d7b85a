import { type ReactNode, useState } from 'react'
import type { DetailBlock } from '#shared/contract/entry.ts'
import type { SessionKey } from '#shared/model/keys.ts'
import { LongText } from '#renderer/components/long-text/LongText.tsx'
import { StoredImage } from '#renderer/components/stored-image/StoredImage.tsx'
import { useShowLink } from '#renderer/state/actions.ts'
import { useEntryImage, useEntryText } from '#renderer/state/queries.ts'
import { blockNames } from '#renderer/text/blocks.ts'
import { plural } from '#renderer/text/numbers.ts'
import { Folded } from './Folded.tsx'
import css from './TranscriptItem.module.css'

export interface BlockPlace {
  readonly session: SessionKey
  readonly entry: string
  /** Position among the entry's blocks. */
  readonly index: number
  readonly block: DetailBlock
}

/** A block of a message but for tool calls. */
export function ContentBlock({ isToolOutput, ...place }: BlockPlace & { readonly isToolOutput: boolean }): ReactNode {
  const { block, entry, index } = place
  switch (block.type) {
    case 'text':
      return (
        <>
          {block.name !== null && <p className={css.caption}>{block.name}</p>}
          <BlockText {...place} look={isToolOutput ? 'mono' : 'markdown'} />
        </>
      )
    case 'thinking':
      return (
        <Folded name={`${entry} ${index}`} label={`Thinking · ${plural(block.length, 'character')}`}>
          <div className={css.aside}>
            <BlockText {...place} look="plain" />
          </div>
        </Folded>
      )
    case 'image':
      return <BlockImage {...place} />
    case 'tool-call':
    case 'tool-result':
      return <BlockText {...place} look="mono" />
    case 'other':
      return (
        <Folded name={`${entry} ${index}`} label={`Block of type ${block.name ?? 'unknown'}`}>
          <BlockText {...place} look="mono" />
        </Folded>
      )
  }
}

function BlockText(props: BlockPlace & { readonly look: 'markdown' | 'plain' | 'mono' }): ReactNode {
  const { session, entry, index, block, look } = props
  const whole = useEntryText(session, entry, index, block.text, block.length)
  const showLink = useShowLink()
  return <LongText whole={whole} length={block.length} look={look} label={blockNames[block.type]} onLink={showLink} />
}

function BlockImage({ session, entry, index, block }: BlockPlace): ReactNode {
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
