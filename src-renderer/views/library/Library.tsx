import { type KeyboardEvent, type ReactNode, useDeferredValue, useEffect, useMemo, useRef } from 'react'
import { Button } from '#renderer/components/button/Button.tsx'
import { FailureNotice } from '#renderer/components/notice/FailureNotice.tsx'
import { Notice } from '#renderer/components/notice/Notice.tsx'
import { useFolders, useSessions } from '#renderer/state/queries.ts'
import { useSelectedSession } from '#renderer/state/selection.ts'
import { useApp } from '#renderer/state/store.ts'
import { formatCount, plural } from '#renderer/text/numbers.ts'
import css from './Library.module.css'
import { libraryFilterId, libraryListId } from './ids.ts'
import { libraryRows, wayTo } from './library-rows.ts'
import { SessionList } from './SessionList.tsx'

/** Every session of the opened folders, by project. */
export function Library(): ReactNode {
  const sessions = useSessions()
  const filter = useApp((state) => state.libraryFilter)
  const sort = useApp((state) => state.librarySort)
  const toggled = useApp((state) => state.libraryToggled)
  const filterLibrary = useApp((state) => state.filterLibrary)
  const sortLibrary = useApp((state) => state.sortLibrary)
  const settled = useDeferredValue(filter)
  const rows = useMemo(
    () => libraryRows(sessions.data ?? [], { filter: settled, sort, toggled }),
    [sessions.data, settled, sort, toggled]
  )

  useUnfoldedSelection(sessions.data)

  const onFilterKey = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && filter !== '') {
      event.stopPropagation()
      filterLibrary('')
    } else if (event.key === 'ArrowDown' || event.key === 'Enter') {
      event.preventDefault()
      document.getElementById(libraryListId)?.focus()
    }
  }

  return (
    <div className={css.library}>
      <div className={css.tools}>
        <input
          id={libraryFilterId}
          className={css.filter}
          type="search"
          aria-label="Filter sessions"
          placeholder="Filter"
          title="Filter sessions (/)"
          spellCheck={false}
          value={filter}
          onChange={(event) => filterLibrary(event.target.value)}
          onKeyDown={onFilterKey}
        />
        <select
          className={css.sort}
          aria-label="Order of the sessions"
          value={sort}
          onChange={(event) => sortLibrary(event.target.value === 'name' ? 'name' : 'date')}
        >
          <option value="date">Newest first</option>
          <option value="name">By name</option>
        </select>
      </div>
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

/** A session that gets selected is seen: what it is folded under opens, once for each selection. */
function useUnfoldedSelection(sessions: Parameters<typeof wayTo>[0] | undefined): void {
  const selected = useSelectedSession()
  const unfold = useApp((state) => state.unfoldInLibrary)
  const shown = useRef<string | null>(null)
  useEffect(() => {
    if (selected === null || shown.current === selected) return
    const way = wayTo(sessions ?? [], selected)
    if (way === null) return
    shown.current = selected
    unfold(way.project, way.parents)
  }, [sessions, selected, unfold])
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
  if (sessions > 0) {
    return (
      <Notice title="No session matches">
        <p>
          None of {formatCount(sessions)} has “{filter}” in its title, folder, agent or id.
        </p>
        <Button onClick={() => clear('')}>Clear the filter</Button>
      </Notice>
    )
  }
  if (opened.length === 0) return <Notice title="No folder is open" />
  if (opened.some((folder) => folder.state === 'reading')) return null
  return <Notice title="No sessions here" />
}
