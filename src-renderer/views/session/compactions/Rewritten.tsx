import { type ReactNode, useState } from 'react'
import type { CompactionHead } from '#shared/contract/compaction.ts'
import type { SessionKey } from '#shared/model/keys.ts'
import { TextDifference } from '#renderer/components/diff/TextDifference.tsx'
import { FailureNotice } from '#renderer/components/notice/FailureNotice.tsx'
import { ShownList } from '#renderer/components/shown/ShownList.tsx'
import { useFates, useRewriting } from '#renderer/state/compactions.ts'
import { speakerOfMessage } from '#renderer/text/fates.ts'
import css from './CompactionViews.module.css'

interface RewrittenProps {
  readonly session: SessionKey
  readonly head: CompactionHead
}

/** The messages that a compaction left in their places with another content, and how that differs. */
export function Rewritten({ session, head: { entry, rewritten } }: RewrittenProps): ReactNode {
  const rows = useFates(session, entry, 'before', rewritten)
  return (
    <section className={css.rewritten} aria-label="Rewritten">
      <h4>Rewritten</h4>
      <ShownList items={rewritten}>
        {(place, index) => {
          const row = rows.get(place)
          const title = row === undefined ? `Message ${place + 1}` : `${speakerOfMessage(row).name} ${row.summary}`
          return (
            <li key={place}>
              <Rewriting session={session} entry={entry} place={place} title={title} isFirst={index === 0} />
            </li>
          )
        }}
      </ShownList>
    </section>
  )
}

interface RewritingProps {
  readonly session: SessionKey
  readonly entry: string
  readonly place: number
  readonly title: string
  readonly isFirst: boolean
}

/** A message that was rewritten; its texts are compared once it is opened. */
function Rewriting({ session, entry, place, title, isFirst }: RewritingProps): ReactNode {
  const [isOpen, open] = useState(isFirst)
  return (
    <details open={isOpen} onToggle={(event) => open(event.currentTarget.open)}>
      <summary>{title}</summary>
      {isOpen && <Texts session={session} entry={entry} place={place} />}
    </details>
  )
}

function Texts({ session, entry, place }: Pick<RewritingProps, 'session' | 'entry' | 'place'>): ReactNode {
  const { data, error } = useRewriting(session, entry, place)
  if (error !== null) return <FailureNotice error={error} />
  return data === undefined ? null : <TextDifference difference={data} removed="before" added="after" />
}
