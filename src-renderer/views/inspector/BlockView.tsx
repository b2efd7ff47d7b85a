import clsx from 'clsx'
import { type ReactNode, useState } from 'react'
import type { DetailBlock } from '#shared/contract/entry.ts'
import type { SessionKey } from '#shared/model/keys.ts'
import { Button } from '#renderer/components/button/Button.tsx'
import { useEntryImage, useEntryText } from '#renderer/state/queries.ts'
import { failureOf } from '#renderer/text/failures.ts'
import { formatBytes, formatCount, plural } from '#renderer/text/numbers.ts'
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

/** One block of an entry. Its content is shown as text, whatever it says. */
export function BlockView(props: BlockViewProps): ReactNode {
  const { block, isToolOutput } = props
  switch (block.type) {
    case 'text':
      return <BlockText {...props} mono={isToolOutput} />
    case 'thinking':
      return (
        <details className={css.thinking}>
          <summary>Thinking · {plural(block.length, 'character')}</summary>
          <BlockText {...props} mono={false} />
        </details>
      )
    case 'tool-call':
      return (
        <section className={css.tool}>
          <p className={css.caption}>
            Calls <strong>{block.name}</strong>
            {block.callId !== null && <code>{block.callId}</code>}
          </p>
          <BlockText {...props} mono />
        </section>
      )
    case 'tool-result':
      return (
        <section className={css.tool}>
          <p className={css.caption}>
            {block.isError ? <span className={css.failed}>Tool result: error</span> : 'Tool result'}
            {block.callId !== null && <code>{block.callId}</code>}
          </p>
          <BlockText {...props} mono />
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
          {block.text !== '' && <BlockText {...props} mono />}
        </section>
      )
  }
}

const regionNames: Readonly<Record<DetailBlock['type'], string>> = {
  text: 'Output',
  thinking: 'Thinking',
  'tool-call': 'Arguments',
  'tool-result': 'Result',
  image: 'Image',
  other: 'Content'
}

function BlockText(props: BlockViewProps & { readonly mono: boolean }): ReactNode {
  const { session, entry, index, block, mono } = props
  const whole = useEntryText(session, entry, index, block.text, block.length)
  if (block.length === 0) return <p className={css.empty}>Empty</p>
  return (
    <div>
      {mono ? (
        <div className={clsx(css.text, css.mono)} tabIndex={0} role="region" aria-label={regionNames[block.type]}>
          {whole.text}
        </div>
      ) : (
        <div className={css.text}>{whole.text}</div>
      )}
      {whole.error !== null && <p className={css.failed}>{failureOf(whole.error).message}</p>}
      {whole.hasMore && (
        <p className={css.more}>
          <Button look="link" disabled={whole.loading} onClick={whole.more}>
            {whole.loading ? 'Reading' : 'Show more'}
          </Button>
          <span>
            {formatCount(whole.text.length)} of {plural(block.length, 'character')}
          </span>
        </p>
      )}
    </div>
  )
}

function BlockImage({ session, entry, index, block }: BlockViewProps): ReactNode {
  const [wanted, want] = useState(false)
  const image = useEntryImage(session, entry, index, wanted)
  const size = block.bytes === null ? 'size unknown' : formatBytes(block.bytes)
  if (image.data !== undefined) {
    return <img className={css.image} src={image.data.url} alt={`${block.name ?? 'Picture'} in entry ${entry}`} />
  }
  return (
    <section className={css.tool}>
      <p className={css.caption}>
        Image · {block.name ?? 'type unknown'} · {size}
        <Button look="link" disabled={image.isFetching} onClick={() => want(true)}>
          {image.isFetching ? 'Reading' : 'Show'}
        </Button>
      </p>
      {image.error !== null && <p className={css.failed}>{failureOf(image.error).message}</p>}
    </section>
  )
}
