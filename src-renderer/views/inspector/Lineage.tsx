import type { ReactNode } from 'react'
import type { EntryDetail } from '#shared/contract/entry.ts'
import type { SessionKey } from '#shared/model/keys.ts'
import { ShownList } from '#renderer/components/shown/ShownList.tsx'
import { positionsOf } from '#renderer/state/outline-path.ts'
import { useEntryRows, useOutline } from '#renderer/state/queries.ts'
import { useSelectEntry } from '#renderer/state/selection.ts'
import { shortEntryId } from '#renderer/text/entry-ids.ts'
import { speakerOf } from '#renderer/text/speakers.ts'
import css from './Lineage.module.css'

interface LineageProps {
  readonly session: SessionKey
  readonly detail: EntryDetail
}

/** The entries next to this one in the tree, each a way to it. */
export function Lineage({ session, detail }: LineageProps): ReactNode {
  const { parent } = detail.entry
  const groups = [
    { name: 'Parent', ids: parent === null ? [] : [parent] },
    { name: 'Siblings', ids: detail.siblings },
    { name: detail.children.length > 1 ? 'Children, a branch point' : 'Children', ids: detail.children }
  ]
  return (
    <section className={css.lineage} aria-label="Lineage">
      {groups
        .filter(({ ids }) => ids.length > 0)
        .map(({ name, ids }) => (
          <div key={name} className={css.group}>
            <h3 className={css.name}>{name}</h3>
            <ShownList items={ids} className={css.list}>
              {(id) => (
                <li key={id}>
                  <EntryLink session={session} id={id} />
                </li>
              )}
            </ShownList>
          </div>
        ))}
    </section>
  )
}

function EntryLink({ session, id }: { readonly session: SessionKey; readonly id: string }): ReactNode {
  const outline = useOutline(session).data
  const selectEntry = useSelectEntry()
  const at = outline === undefined ? undefined : positionsOf(outline).get(id)
  const row = useEntryRows(session, outline, at === undefined ? [] : [at]).get(at ?? -1)
  if (at === undefined) return <code className={css.absent}>{id} (not in the file)</code>
  const speaker = row === undefined ? null : speakerOf(row.kind, row.role, row.tool)
  return (
    <button type="button" className={css.link} onClick={() => selectEntry(id)}>
      <span className={css.speaker} data-tone={speaker?.tone}>
        {speaker?.name}
      </span>
      <span className={css.summary} dir="auto">
        {row?.summary}
      </span>
      <code title={id}>{shortEntryId(id)}</code>
    </button>
  )
}
