import type { ReactNode } from 'react'
import { BlockImage } from '#renderer/containers/block/BlockImage.tsx'
import type { BlockPlace } from '#renderer/containers/block/block-place.ts'
import { BlockText } from '#renderer/containers/block/BlockText.tsx'
import { plural } from '#renderer/text/numbers.ts'
import { Folded } from './Folded.tsx'
import css from './TranscriptItem.module.css'

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
