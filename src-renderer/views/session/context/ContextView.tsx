import { type ReactNode, useState } from 'react'
import type { SessionKey } from '#shared/model/keys.ts'
import { FailureNotice } from '#renderer/components/notice/FailureNotice.tsx'
import { Notice } from '#renderer/components/notice/Notice.tsx'
import { useOutline } from '#renderer/state/queries.ts'
import { useChangeView, useSelectedEntry, useSelectEntry, useView } from '#renderer/state/selection.ts'
import { nothingToShow } from '#renderer/text/tree-rows.ts'
import { Comparison } from './Comparison.tsx'
import { SingleContext } from './SingleContext.tsx'

/** What the model saw at the selected entry, alone or beside what it saw at another. */
export function ContextView({ session }: { readonly session: SessionKey }): ReactNode {
  const outline = useOutline(session)
  const selected = useSelectedEntry()
  const selectEntry = useSelectEntry()
  const changeView = useChangeView()
  const { compared } = useView()
  // Looking at a source selects it; the context stays the one that is looked at.
  const [held, hold] = useState<string | null>(null)
  const entry = held ?? selected
  if (outline.error !== null) return <FailureNotice error={outline.error} />
  if (outline.data === undefined) return <Notice kind="busy" title="Reading the session" />
  if (entry === null) return <Notice title={nothingToShow(outline.data.ids.length)} />
  const parts = {
    session,
    onSource: (source: string) => {
      hold(entry)
      selectEntry(source)
    },
    onFollow: held === null || held === selected ? null : () => hold(null)
  }
  return compared === null ? (
    <SingleContext key={entry} {...parts} entry={entry} onCompare={(other) => changeView({ compared: other })} />
  ) : (
    <Comparison
      key={`${entry} ${compared}`}
      {...parts}
      left={entry}
      right={compared}
      onSwap={() => {
        hold(null)
        selectEntry(compared)
        changeView({ compared: entry })
      }}
      onEnd={() => changeView({ compared: null })}
    />
  )
}
