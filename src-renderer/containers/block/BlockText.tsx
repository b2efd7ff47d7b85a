import type { ReactNode } from 'react'
import { LongText } from '#renderer/components/long-text/LongText.tsx'
import { useShowLink } from '#renderer/state/actions.ts'
import { useEntryText } from '#renderer/state/queries.ts'
import { blockNames } from '#renderer/text/blocks.ts'
import type { BlockPlace } from './block-place.ts'

/** The text of an entry's block, the rest of a long one on demand. */
export function BlockText(props: BlockPlace & { readonly look: 'markdown' | 'plain' | 'mono' }): ReactNode {
  const { session, entry, index, block, look } = props
  const whole = useEntryText(session, entry, index, block.text, block.length)
  const showLink = useShowLink()
  return <LongText whole={whole} length={block.length} look={look} label={blockNames[block.type]} onLink={showLink} />
}
