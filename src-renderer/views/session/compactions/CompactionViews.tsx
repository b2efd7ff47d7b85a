import { clsx } from 'clsx'
import { type ReactNode, useDeferredValue, useMemo, useState } from 'react'
import type { CompactionHead } from '#shared/contract/compaction.ts'
import type { SessionKey } from '#shared/model/keys.ts'
import { Button } from '#renderer/components/button/Button.tsx'
import { FaultText } from '#renderer/components/fault/FaultText.tsx'
import { FailureNotice } from '#renderer/components/notice/FailureNotice.tsx'
import { Notice } from '#renderer/components/notice/Notice.tsx'
import { ShownList } from '#renderer/components/shown/ShownList.tsx'
import { useCompaction, useCompactions, useEveryCompaction, useFoundInCompaction } from '#renderer/state/compactions.ts'
import { useChangeView, useCurrentLeaf, useSelectEntry, useView } from '#renderer/state/selection.ts'
import { useOutline, useSession } from '#renderer/state/queries.ts'
import view from '#renderer/styles/view.module.css'
import { formatCount, formatTokens, plural } from '#renderer/text/numbers.ts'
import { triggerText } from '#renderer/text/fates.ts'
import { nothingToShow } from '#renderer/text/tree-rows.ts'
import { formatTime } from '#renderer/text/times.ts'
import { After } from './After.tsx'
import { Balance } from './Balance.tsx'
import { CompactionChips } from './CompactionChips.tsx'
import css from './CompactionViews.module.css'
import { FateList } from './FateList.tsx'
import { Legend } from './Legend.tsx'

/** The compactions on the current path, one at a time: what was there before, and what came of it. */
export function CompactionViews({ session }: { readonly session: SessionKey }): ReactNode {
  const outline = useOutline(session).data
  const leaf = useCurrentLeaf()
  const list = useCompactions(session, leaf)
  const all = useSession(session).data?.compactions ?? 0
  const { compaction: wanted } = useView()
  const changeView = useChangeView()
  if (outline !== undefined && leaf === null) return <Notice title={nothingToShow(outline.ids.length)} />
  if (list.error !== null) return <FailureNotice error={list.error} />
  if (list.data === undefined) return <Notice kind="busy" title="Looking for compactions" />
  const chosen = list.data.find(({ entry }) => entry === wanted) ?? list.data.at(-1)
  if (chosen === undefined) {
    return (
      <Notice title="No compaction on the current path">{all > 0 && <OtherCompactions session={session} />}</Notice>
    )
  }
  return (
    <OneCompaction session={session} entry={chosen.entry}>
      <CompactionChips
        compactions={list.data}
        chosen={chosen.entry}
        onChoose={(compaction) => changeView({ compaction })}
      />
    </OneCompaction>
  )
}

/** Compactions of other paths; choosing one makes its path the current one. */
function OtherCompactions({ session }: { readonly session: SessionKey }): ReactNode {
  const every = useEveryCompaction(session)
  const selectEntry = useSelectEntry()
  const changeView = useChangeView()
  if (every.data === undefined) return null
  return (
    <>
      <p>On other paths, to be chosen:</p>
      <ShownList items={every.data}>
        {({ entry, time }, index) => (
          <li key={entry}>
            <Button
              look="link"
              onClick={() => {
                selectEntry(entry)
                changeView({ compaction: entry })
              }}
            >
              Compaction {formatCount(index + 1)}
              {time !== null && ` · ${formatTime(time)}`}
            </Button>
          </li>
        )}
      </ShownList>
    </>
  )
}

interface OneCompactionProps {
  readonly session: SessionKey
  readonly entry: string
  /** What chooses among the compactions. */
  readonly children: ReactNode
}

function OneCompaction({ session, entry, children }: OneCompactionProps): ReactNode {
  const head = useCompaction(session, entry)
  const [search, setSearch] = useState({ entry, typed: '' })
  const asked = useDeferredValue(search)
  const text = asked.entry === entry ? asked.typed.trim() : ''
  const found = useFoundInCompaction(session, entry, text)
  const count = head.data?.before.messages ?? 0
  const everyPlace = useMemo(() => Array.from({ length: count }, (_, place) => place), [count])
  const places = text === '' ? everyPlace : (found.data?.found ?? [])
  const isGone = (head.data?.before.fates.summarised ?? 0) + (head.data?.before.fates.dropped ?? 0) > 0
  return (
    <div className={clsx(view.view, css.view)}>
      <div className={clsx(view.bar, css.bar)}>
        {children}
        {head.data !== undefined && <p className={css.trigger}>{triggerText(head.data.trigger)}</p>}
        <input
          type="search"
          className={css.search}
          aria-label="Search in what was dropped"
          placeholder="Search in what was dropped"
          disabled={!isGone}
          value={search.entry === entry ? search.typed : ''}
          onChange={(event) => setSearch({ entry, typed: event.target.value })}
        />
      </div>
      {head.error !== null ? (
        <FailureNotice error={head.error} />
      ) : head.data === undefined ? (
        <Notice kind="busy" title="Reading the compaction" />
      ) : (
        <>
          <div className={clsx(view.bar, css.legend)}>
            <Legend head={head.data} />
            <p>{sizesText(head.data)}</p>
          </div>
          {head.data.faults.length > 0 && (
            <ul className={css.faults}>
              {head.data.faults.slice(0, 3).map((fault, index) => (
                <li key={index}>
                  <FaultText fault={fault} />
                </li>
              ))}
            </ul>
          )}
          <div key={entry} className={css.sides}>
            <section className={css.side} aria-label="Before">
              <SideHead title="Before" {...head.data.before} />
              {text !== '' && (
                <p className={css.found} role="status">
                  {found.error === null
                    ? found.data === undefined
                      ? 'Searching'
                      : `In ${formatCount(found.data.found.length)} of ${plural(found.data.searched, 'message')} that are gone`
                    : 'The search failed'}
                </p>
              )}
              {text !== '' && found.data === undefined ? null : places.length === 0 ? (
                <Notice title={text === '' ? 'Nothing was there before it' : 'Nothing that is gone holds this'} />
              ) : (
                <FateList
                  key={text}
                  session={session}
                  compaction={entry}
                  side="before"
                  label="Messages before"
                  places={places}
                />
              )}
            </section>
            <Balance session={session} head={head.data} />
            <section className={css.side} aria-label="After">
              <SideHead title="After" {...head.data.after} />
              <After session={session} head={head.data} />
            </section>
          </div>
        </>
      )}
    </div>
  )
}

function SideHead({
  title,
  messages,
  tokens,
  unsent
}: CompactionHead['before'] & { readonly title: string }): ReactNode {
  return (
    <h3 className={css.sideHead}>
      {title}
      <span className={css.amount}>
        {plural(messages, 'message')} · {formatTokens(tokens - unsent)}
      </span>
    </h3>
  )
}

/** "recorded 76.4k to 16.5k · recomputed 76.0k to 16.2k". */
function sizesText({ recordedBefore, recordedAfter, before, after }: CompactionHead): string {
  const recomputed = `recomputed ${formatTokens(before.tokens - before.unsent)} to ${formatTokens(after.tokens - after.unsent)}`
  if (recordedBefore === null && recordedAfter === null) return `nothing recorded · ${recomputed}`
  return `recorded ${formatTokens(recordedBefore)} to ${formatTokens(recordedAfter)} · ${recomputed}`
}
