import type { ReactNode } from 'react'
import { BlockImage } from '#renderer/containers/block/BlockImage.tsx'
import type { BlockPlace } from '#renderer/containers/block/block-place.ts'
import { BlockText } from '#renderer/containers/block/BlockText.tsx'
import { plural } from '#renderer/text/numbers.ts'
import css from './BlockView.module.css'

interface BlockViewProps extends BlockPlace {
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
