import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import hidden from '#renderer/styles/visually-hidden.module.css'
import { useApp } from '#renderer/state/store.ts'
import { projectName } from '#renderer/text/sessions.ts'
import css from './LibraryTools.module.css'
import { libraryFilterId, libraryListId } from './ids.ts'
import { useLimit } from './use-limit.ts'

const focusFilter = () => document.getElementById(libraryFilterId)?.focus()

/** What the library shows, and how it is put. */
export function LibraryTools(): ReactNode {
  const filter = useApp((state) => state.libraryFilter)
  const group = useApp((state) => state.libraryGroup)
  const sort = useApp((state) => state.librarySort)
  const project = useApp((state) => state.libraryProject)
  const filterLibrary = useApp((state) => state.filterLibrary)
  const put = useApp((state) => state.putLibrary)
  const limitTo = useLimit()

  const onFilterKey = (event: KeyboardEvent) => {
    const isEmpty = filter === ''
    if (event.key === 'Escape' && !isEmpty) {
      event.stopPropagation()
      filterLibrary('')
    } else if (isEmpty && project !== null && (event.key === 'Escape' || event.key === 'Backspace')) {
      event.stopPropagation()
      limitTo(null)
    } else if (event.key === 'ArrowDown' || event.key === 'Enter') {
      event.preventDefault()
      document.getElementById(libraryListId)?.focus()
    }
  }

  return (
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
      {project !== null && (
        <span className={css.limit} title={project}>
          <span className={css.limitName}>Only {projectName(project)}</span>
          <button
            type="button"
            className={css.lift}
            aria-label="Show all projects"
            title="Show all projects (Escape)"
            onClick={() => {
              limitTo(null)
              focusFilter()
            }}
          >
            <svg width="8" height="8" viewBox="0 0 8 8" aria-hidden="true">
              <path d="M1 1l6 6M7 1l-6 6" />
            </svg>
          </button>
        </span>
      )}
      <LimitStatus project={project} />
      <div className={css.order}>
        <select
          className={css.choice}
          aria-label="Groups of the sessions"
          value={group}
          onChange={({ target: { value } }) =>
            put({ libraryGroup: value === 'date' || value === 'agent' ? value : 'project' })
          }
        >
          <option value="project">By project</option>
          <option value="date">By date</option>
          <option value="agent">By agent</option>
        </select>
        <select
          className={css.choice}
          aria-label="Order of the sessions"
          value={sort}
          onChange={({ target: { value } }) => put({ librarySort: value === 'name' ? 'name' : 'date' })}
        >
          <option value="date">Newest first</option>
          <option value="name">By name</option>
        </select>
      </div>
    </div>
  )
}

/** Says to those who do not see it that the library was limited, or is not any more. */
function LimitStatus({ project }: { readonly project: string | null }): ReactNode {
  const before = useRef(project)
  const [told, tell] = useState('')
  useEffect(() => {
    if (before.current === project) return
    before.current = project
    tell(project === null ? 'Sessions of all projects' : `Only sessions of ${projectName(project)}`)
  }, [project])
  return (
    <p className={hidden.hidden} role="status">
      {told}
    </p>
  )
}
