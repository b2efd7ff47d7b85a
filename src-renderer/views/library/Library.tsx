import { type ReactNode, useDeferredValue, useEffect, useMemo, useRef } from 'react'
import type { SessionRow } from '#shared/model/session.ts'
import { Button } from '#renderer/components/button/Button.tsx'
import { FailureNotice } from '#renderer/components/notice/FailureNotice.tsx'
import { Notice } from '#renderer/components/notice/Notice.tsx'
import { useFolders, useSessions } from '#renderer/state/queries.ts'
import { useSelectedSession } from '#renderer/state/selection.ts'
import { useApp } from '#renderer/state/store.ts'
import { useNow } from '#renderer/state/use-now.ts'
import { formatCount, plural } from '#renderer/text/numbers.ts'
import { startOfDay } from '#renderer/text/times.ts'
import css from './Library.module.css'
import { type Grouping, libraryRows, wayTo } from './library-rows.ts'
import { LibraryTools } from './LibraryTools.tsx'
import { SessionList } from './SessionList.tsx'
import { useLimit } from './use-limit.ts'

/** Every session of the opened folders, in groups. */
export function Library(): ReactNode {
  const sessions = useSessions()
  const filter = useApp((state) => state.libraryFilter)
  const sort = useApp((state) => state.librarySort)
  const group = useApp((state) => state.libraryGroup)
  const project = useApp((state) => state.libraryProject)
  const toggled = useApp((state) => state.libraryToggled)
  const today = startOfDay(useNow())
  const settled = useDeferredValue(filter)
  const rows = useMemo(
    () => libraryRows(sessions.data ?? [], { filter: settled, sort, group, today, project, toggled }),
    [sessions.data, settled, sort, group, today, project, toggled]
  )

  useUnfoldedSelection(sessions.data, group, today)

  return (
    <div className={css.library}>
      <LibraryTools />
      <ReadingProgress />
      {sessions.error !== null && <FailureNotice error={sessions.error} />}
      {rows.length > 0 ? (
        <SessionList rows={rows} />
      ) : (
        sessions.data !== undefined && <NoRows filter={settled} sessions={sessions.data.length} />
      )}
    </div>
  )
}

/** A session that gets selected is seen: what it is folded under opens, once for each way to it, which parents that come later make longer. */
function useUnfoldedSelection(
  sessions: readonly SessionRow[] | undefined,
  group: Grouping['group'],
  today: number
): void {
  const selected = useSelectedSession()
  const unfold = useApp((state) => state.unfoldInLibrary)
  const shown = useRef<string | null>(null)
  useEffect(() => {
    const way = selected === null ? null : wayTo(sessions ?? [], selected, { group, today })
    if (way === null) return
    const told = [selected, way.group, ...way.parents].join('\n')
    if (shown.current === told) return
    shown.current = told
    unfold(way.group, way.parents)
  }, [sessions, selected, group, today, unfold])
}

function ReadingProgress(): ReactNode {
  const reading = useFolders().data?.opened.filter((folder) => folder.state === 'reading') ?? []
  if (reading.length === 0) return null
  const files = reading.reduce((sum, folder) => sum + folder.files, 0)
  const sessions = reading.reduce((sum, folder) => sum + folder.sessions, 0)
  return (
    <p className={css.progress} role="status">
      Reading: {plural(files, 'file')}, {plural(sessions, 'session')}
    </p>
  )
}

function NoRows({ filter, sessions }: { readonly filter: string; readonly sessions: number }): ReactNode {
  const opened = useFolders().data?.opened ?? []
  const clear = useApp((state) => state.filterLibrary)
  const project = useApp((state) => state.libraryProject)
  const limitTo = useLimit()
  if (sessions > 0) {
    const isFiltered = filter.trim() !== ''
    return (
      <Notice title={isFiltered ? 'No session matches' : 'No session of this project'}>
        <p>
          None of {formatCount(sessions)}
          {project !== null && ` is of the project ${project}`}
          {project !== null && isFiltered && ' and'}
          {isFiltered && ` has “${filter}” in its title, folder, agent or id`}.
        </p>
        {isFiltered && <Button onClick={() => clear('')}>Clear the filter</Button>}
        {project !== null && <Button onClick={() => limitTo(null)}>Show all projects</Button>}
      </Notice>
    )
  }
  if (opened.length === 0) return <Notice title="No folder is open" />
  if (opened.some((folder) => folder.state === 'reading')) return null
  return <Notice title="No sessions here" />
}
