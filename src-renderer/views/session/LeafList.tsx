import { type ReactNode, useMemo } from 'react'
import type { Leaf, Outline } from '#shared/model/entry.ts'
import type { SessionKey } from '#shared/model/keys.ts'
import { Button } from '#renderer/components/button/Button.tsx'
import { FailureNotice } from '#renderer/components/notice/FailureNotice.tsx'
import { Notice } from '#renderer/components/notice/Notice.tsx'
import { ShownList } from '#renderer/components/shown/ShownList.tsx'
import { headlinesOf } from '#renderer/state/outline-path.ts'
import { useEntryRows, useOutline } from '#renderer/state/queries.ts'
import { useCurrentLeaf } from '#renderer/state/selection.ts'
import { useNow } from '#renderer/state/use-now.ts'
import { leafReason } from '#renderer/text/leaves.ts'
import { plural } from '#renderer/text/numbers.ts'
import { formatTime, formatWhen } from '#renderer/text/times.ts'
import css from './LeafList.module.css'

interface LeafListProps {
  readonly session: SessionKey
  readonly onLeaf: (leaf: string) => void
  /** Compares what the model saw at a leaf with what it saw at the selected entry; a button beside each where given. */
  readonly onCompare?: (leaf: string) => void
}

/** Every leaf of a session, told by the person's own first message of its branch. */
export function LeafList({ session, onLeaf, onCompare }: LeafListProps): ReactNode {
  const outline = useOutline(session)
  const current = useCurrentLeaf()
  const headlines = useMemo(() => (outline.data === undefined ? null : headlinesOf(outline.data)), [outline.data])
  if (outline.error !== null) return <FailureNotice error={outline.error} />
  if (outline.data === undefined || headlines === null) return <Notice kind="busy" title="Reading the tree" />
  const shape = outline.data
  return (
    <ShownList items={shape.leaves} className={css.list}>
      {(leaf, index) => (
        <li key={leaf.id} className={css.row}>
          <button type="button" className={css.leaf} aria-current={leaf.id === current} onClick={() => onLeaf(leaf.id)}>
            <LeafText
              session={session}
              outline={shape}
              leaf={leaf}
              number={index + 1}
              headline={headlines.get(leaf.id) ?? 0}
              current={leaf.id === current}
            />
          </button>
          {onCompare !== undefined && (
            <Button
              look="quiet"
              title="Compare its context with that of the selected entry"
              onClick={() => onCompare(leaf.id)}
            >
              Compare
            </Button>
          )}
        </li>
      )}
    </ShownList>
  )
}

function LeafText(props: {
  readonly session: SessionKey
  readonly outline: Outline
  readonly leaf: Leaf
  readonly number: number
  readonly headline: number
  readonly current: boolean
}): ReactNode {
  const { session, outline, leaf, number, headline, current } = props
  const now = useNow()
  const row = useEntryRows(session, outline, [headline]).get(headline)
  const isDefault = leaf.id === outline.defaultLeaf.id
  return (
    <>
      <span className={css.number}>leaf {number}</span>
      <span className={css.headline} dir="auto">
        {row?.preview || row?.summary || leaf.id}
      </span>
      <span className={css.facts}>
        <code>{leaf.id}</code>
        <span>{plural(leaf.depth, 'entry', 'entries')} deep</span>
        <span title={formatTime(leaf.time)}>{formatWhen(leaf.time, now)}</span>
      </span>
      {(current || isDefault) && (
        <span className={css.facts}>
          {current && <strong>Current path</strong>}
          {isDefault && <span>{leafReason[outline.defaultLeaf.reason]}</span>}
        </span>
      )}
    </>
  )
}
