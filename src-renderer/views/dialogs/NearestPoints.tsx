import { type ReactNode, useLayoutEffect, useRef } from 'react'
import type { SessionKey } from '#shared/model/keys.ts'
import { Button } from '#renderer/components/button/Button.tsx'
import { positionsOf } from '#renderer/state/outline-path.ts'
import { useEntryRows, useOutline } from '#renderer/state/queries.ts'
import { useSelectEntry } from '#renderer/state/selection.ts'
import { useApp } from '#renderer/state/store.ts'
import { speakerOf } from '#renderer/text/speakers.ts'
import css from './dialogs.module.css'

interface NearestPointsProps {
  readonly session: SessionKey
  readonly entries: readonly string[]
}

/** The nearest entries where a branch may begin, each a way to try it. */
export function NearestPoints({ session, entries }: NearestPointsProps): ReactNode {
  const outline = useOutline(session).data
  const positions = outline === undefined ? null : positionsOf(outline)
  const at = entries.map((entry) => positions?.get(entry) ?? -1).filter((position) => position >= 0)
  const rows = useEntryRows(session, outline, at)
  const openDialog = useApp((state) => state.openDialog)
  const selectEntry = useSelectEntry()
  const list = useRef<HTMLUListElement>(null)
  // They are what to go on with, unless the person is at a choice.
  useLayoutEffect(() => {
    if (!(document.activeElement instanceof HTMLInputElement)) list.current?.querySelector('button')?.focus()
  }, [])
  if (entries.length === 0) return null
  return (
    <>
      <p>The nearest entries where it could:</p>
      <ul ref={list} className={css.nearest}>
        {entries.map((entry) => {
          const row = rows.get(positions?.get(entry) ?? -1)
          return (
            <li key={entry}>
              <Button
                className={css.point}
                onClick={() => {
                  selectEntry(entry)
                  openDialog({ kind: 'branch', session, entry })
                }}
              >
                <code>{entry}</code>
                {row !== undefined && (
                  <span className={css.cut}>
                    {speakerOf(row.kind, row.role, row.tool).name}: {row.summary}
                  </span>
                )}
              </Button>
            </li>
          )
        })}
      </ul>
    </>
  )
}
