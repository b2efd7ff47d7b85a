import { type ReactNode, useCallback, useMemo, useState } from 'react'
import type { Outline } from '#shared/model/entry.ts'
import type { SessionKey } from '#shared/model/keys.ts'
import { pathTo } from '#shared/tree/tree.ts'
import { goToContent } from '#renderer/components/entry-content/entry-content.ts'
import { MeasuredList } from '#renderer/components/measured-list/MeasuredList.tsx'
import { FailureNotice } from '#renderer/components/notice/FailureNotice.tsx'
import { Notice } from '#renderer/components/notice/Notice.tsx'
import { positionsOf, treeOfOutline } from '#renderer/state/outline-path.ts'
import { useEntryRows, useOutline } from '#renderer/state/queries.ts'
import { useCurrentLeaf, useSelectedEntry, useSelectEntry } from '#renderer/state/selection.ts'
import { useEntryContents } from '#renderer/state/transcript-queries.ts'
import { nothingToShow } from '#renderer/text/tree-rows.ts'
import { OpenParts } from './open-parts.ts'
import css from './Transcript.module.css'
import { isShown, mostParts, type TranscriptItem as Item, transcriptItems } from './transcript-items.ts'
import { TranscriptItem } from './TranscriptItem.tsx'

/** The current path as a conversation. */
export function Transcript({ session }: { readonly session: SessionKey }): ReactNode {
  const outline = useOutline(session)
  const leaf = useCurrentLeaf()
  if (outline.error !== null) return <FailureNotice error={outline.error} />
  if (outline.data === undefined) return <Notice kind="busy" title="Reading the session" />
  if (leaf === null) return <Notice title={nothingToShow(outline.data.ids.length)} />
  return <Conversation session={session} outline={outline.data} leaf={leaf} />
}

/** Pixels that an item is likely to take. */
const likely: Readonly<Record<Item['kind'], number>> = { message: 112, separator: 64, quiet: 26, log: 26, saved: 26 }

/** Items fetched on either side of those near the view. */
const ahead = 4

interface ConversationProps {
  readonly session: SessionKey
  readonly outline: Outline
  readonly leaf: string
}

function Conversation({ session, outline, leaf }: ConversationProps): ReactNode {
  const selected = useSelectedEntry()
  const selectEntry = useSelectEntry()
  const [openParts] = useState(() => new Set<string>())
  const { items, itemOf } = useMemo(() => {
    const path = pathTo(treeOfOutline(outline), positionsOf(outline).get(leaf) ?? -1)
    return transcriptItems(outline, path)
  }, [outline, leaf])

  const selectedAt = selected === null ? undefined : positionsOf(outline).get(selected)
  const active = selectedAt === undefined ? -1 : (itemOf.get(selectedAt) ?? -1)
  // The list begins around the selected item: it need not say so first.
  const [range, setRange] = useState({ first: Math.max(0, active), last: Math.max(0, active) })
  const near = items.slice(Math.max(0, range.first - ahead), range.last + 1 + ahead)
  const rows = useEntryRows(
    session,
    outline,
    near.flatMap(({ at, parts }) => [at, ...parts.slice(0, mostParts)])
  )
  const { contents, error, loading } = useEntryContents(
    session,
    near.filter(({ kind }) => kind === 'message' || kind === 'separator').flatMap(({ at, parts }) => [at, ...parts]),
    (at) => isShown(outline, at)
  )

  const idOf = useCallback((index: number) => outline.ids[items[index]?.at ?? -1] ?? '', [outline, items])
  const estimate = useCallback((index: number) => likely[items[index]?.kind ?? 'message'], [items])
  const onRange = useCallback((first: number, last: number) => setRange({ first, last }), [])

  if (error !== null) return <FailureNotice error={error} />
  return (
    <OpenParts value={openParts}>
      <MeasuredList
        label="Transcript"
        className={css.list}
        itemClass={css.item}
        count={items.length}
        estimate={estimate}
        keyAt={idOf}
        active={active}
        busy={loading}
        onRange={onRange}
        onMove={(index) => selectEntry(idOf(index))}
        onPick={(index, target) =>
          selectEntry(target.closest<HTMLElement>('[data-entry]')?.dataset.entry ?? idOf(index))
        }
        onEnter={() => selected !== null && goToContent(selected)}
      >
        {(index) => {
          const item = items[index]
          if (item === undefined) return null
          return (
            <TranscriptItem
              session={session}
              kind={item.kind}
              id={idOf(index)}
              row={rows.get(item.at)}
              content={contents.get(item.at)}
              parts={item.parts.slice(0, mostParts).map((at) => ({ row: rows.get(at), content: contents.get(at) }))}
              count={item.parts.length}
              selected={index === active ? selected : null}
            />
          )
        }}
      </MeasuredList>
    </OpenParts>
  )
}
