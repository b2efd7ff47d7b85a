import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import clsx from 'clsx'
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import type { Settings } from '#shared/contract/settings.ts'
import { returnTarget } from '#renderer/components/modal/return-target.ts'
import hidden from '#renderer/styles/visually-hidden.module.css'
import { useGoTo } from '#renderer/state/actions.ts'
import { useSelectedSession } from '#renderer/state/selection.ts'
import { useRowHeight } from '#renderer/state/settings.ts'
import { useApp } from '#renderer/state/store.ts'
import { useNow } from '#renderer/state/use-now.ts'
import { agentNames } from '#renderer/text/agents.ts'
import { formatTokens, plural } from '#renderer/text/numbers.ts'
import { projectName, titleOf } from '#renderer/text/sessions.ts'
import { formatTime, formatWhen } from '#renderer/text/times.ts'
import css from './SessionList.module.css'
import { libraryFilterId, libraryListId } from './ids.ts'
import type { LibraryRow } from './library-rows.ts'
import { useLimit } from './use-limit.ts'

/** A group's row is a little higher than others, a session's holds two lines. */
const heightsFor = (row: number) => ({ group: row + 6, session: row + 20 }) as const
const deepest = 6

/** One tab stop; the active row is told by `aria-activedescendant`, because most rows are not in the document. */
export function SessionList({ rows }: { readonly rows: readonly LibraryRow[] }): ReactNode {
  const scroller = useRef<HTMLDivElement>(null)
  const selected = useSelectedSession()
  const goTo = useGoTo()
  const toggleFold = useApp((state) => state.toggleInLibrary)
  const limit = useApp((state) => state.libraryProject)
  const group = useApp((state) => state.libraryGroup)
  const limitTo = useLimit()
  const rowHeight = useRowHeight()
  const heights = heightsFor(rowHeight)
  const [activeId, setActiveId] = useState<string | null>(null)
  const now = useNow()

  const find = (id: string | null) => (id === null ? -1 : rows.findIndex((row) => row.id === id))
  const active = Math.max(0, find(activeId) >= 0 ? find(activeId) : find(selected))
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => heights[rows[index]?.kind ?? 'session'],
    getItemKey: (index) => rows[index]?.id ?? index,
    rangeExtractor: (range) => [...new Set([...defaultRangeExtractor(range), Math.min(active, rows.length - 1)])],
    overscan: 8
  })

  useEffect(() => virtual.measure(), [rows, virtual, rowHeight])
  // What a first list takes the place of had the keyboard.
  useEffect(() => {
    if (document.activeElement === document.body) scroller.current?.focus()
  }, [])
  // Only a new selection moves the list, not a row that moves because its session changed.
  const shown = useRef<string | null>(null)
  useEffect(() => {
    const index = rows.findIndex((row) => row.id === selected)
    if (index < 0 || shown.current === selected) return
    shown.current = selected
    setActiveId(selected)
    virtual.scrollToIndex(index, { align: 'auto' })
  }, [rows, selected, virtual])

  const activate = (index: number) => {
    const clamped = Math.min(rows.length - 1, Math.max(0, index))
    setActiveId(rows[clamped]?.id ?? null)
    virtual.scrollToIndex(clamped, { align: 'auto' })
  }
  const open = (row: LibraryRow) => {
    if (row.kind === 'group') toggleFold(row.id)
    else if (row.id === selected) returnTarget(null)?.focus()
    else goTo(row.id)
  }

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const row = rows[active]
    if (row === undefined) return
    const expanded = row.expanded
    const parent = rows.findLastIndex((other, index) => index < active && levelOf(other) < levelOf(row))
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / heights.session) - 1)
    const moves: Readonly<Record<string, () => void>> = {
      ArrowDown: () => activate(active + 1),
      ArrowUp: () => activate(active - 1),
      PageDown: () => activate(active + page),
      PageUp: () => activate(active - page),
      Home: () => activate(0),
      End: () => activate(rows.length - 1),
      ArrowRight: () => {
        if (expanded === false) toggleFold(row.id)
        else if (expanded === true) activate(active + 1)
      },
      ArrowLeft: () => {
        if (expanded === true) toggleFold(row.id)
        else if (parent >= 0) activate(parent)
      },
      Enter: () => {
        const project = projectOfRow(row)
        if (!event.shiftKey) open(row)
        else if (project !== null) limitTo(project)
      },
      ' ': () => open(row),
      ...(limit !== null && { Escape: () => limitTo(null), Backspace: () => limitTo(null) })
    }
    const move = Object.hasOwn(moves, event.key) ? moves[event.key] : undefined
    if (move !== undefined) {
      event.preventDefault()
      event.stopPropagation()
      move()
    } else if (event.key.length === 1 && event.key !== '?') {
      // The letter itself goes where the focus is after this handler: into the filter.
      event.stopPropagation()
      if (event.key === '/') event.preventDefault()
      document.getElementById(libraryFilterId)?.focus()
    }
  }

  return (
    <div
      ref={scroller}
      id={libraryListId}
      className={css.list}
      role="tree"
      aria-label="Sessions"
      aria-activedescendant={`library-row-${active}`}
      tabIndex={0}
      onKeyDown={onKeyDown}
    >
      <div role="presentation" className={css.sizer} style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, key, start, size }) => {
          const row = rows[index]
          if (row === undefined) return null
          const level = levelOf(row)
          const indent = 18 + 18 * Math.max(0, Math.min(level, deepest) - 2)
          return (
            <div
              key={key}
              id={`library-row-${index}`}
              role="treeitem"
              aria-level={level}
              aria-setsize={row.setSize}
              aria-posinset={row.position}
              aria-selected={row.id === selected}
              aria-expanded={row.expanded ?? undefined}
              aria-keyshortcuts={
                limit === null && row.kind === 'group' && row.path !== null ? 'Shift+Enter' : undefined
              }
              className={clsx(css.row, css[row.kind], index === active && css.active)}
              style={{
                height: size,
                transform: `translateY(${start}px)`,
                paddingLeft: indent
              }}
              onClick={() => {
                setActiveId(row.id)
                open(row)
              }}
            >
              {row.expanded !== null && (
                <Triangle isOpen={row.expanded} left={indent - 16} onToggle={() => toggleFold(row.id)} />
              )}
              {row.kind === 'group' ? (
                <span className={css.groupLine}>
                  <span className={css.name} title={row.path ?? undefined}>
                    {row.name}
                    {row.isAmbiguous && <span className={css.path}>{row.path}</span>}
                    {!row.expanded && ` (${row.sessions})`}
                  </span>
                  {limit === null && row.path !== null && <Only onLimit={() => limitTo(row.path)} />}
                </span>
              ) : (
                <SessionLines row={row} now={now} group={group} />
              )}
            </div>
          )
        })}
      </div>
    </div>
  )
}

const levelOf = (row: LibraryRow): number => (row.kind === 'group' ? 1 : row.level)

const projectOfRow = (row: LibraryRow): string | null => (row.kind === 'group' ? row.path : row.project)

/** Lists one project alone, for the pointer; the keyboard has Shift+Enter. */
function Only({ onLimit }: { readonly onLimit: () => void }): ReactNode {
  return (
    <span
      className={css.only}
      title="Only this project (Shift+Enter)"
      aria-hidden="true"
      onClick={(event) => {
        event.stopPropagation()
        onLimit()
      }}
    >
      Only this
    </span>
  )
}

/** Folds and unfolds by the pointer; the keyboard has the arrow keys, and `aria-expanded` tells the state. */
function Triangle(props: {
  readonly isOpen: boolean
  readonly left: number
  readonly onToggle: () => void
}): ReactNode {
  return (
    <span
      className={css.triangle}
      style={{ left: props.left }}
      aria-hidden="true"
      onClick={(event) => {
        event.stopPropagation()
        props.onToggle()
      }}
    >
      <svg width="8" height="8" data-open={props.isOpen}>
        <path d="M2 0.5l5 3.5l-5 3.5z" />
      </svg>
    </span>
  )
}

const originWords = { user: '', fork: 'Fork: ', subagent: 'Subagent: ', continuation: 'Continued: ' } as const

interface SessionLinesProps {
  readonly row: LibraryRow & { kind: 'session' }
  readonly now: number
  /** What the groups tell is not told again. */
  readonly group: Settings['libraryGroup']
}

function SessionLines({ row, now, group }: SessionLinesProps): ReactNode {
  const { session, below } = row
  const runs = session.runs?.length ?? 0
  const title = `${originWords[session.origin]}${titleOf(session)}`
  return (
    <>
      <span className={css.title} title={`${title}\n${session.file}`} dir="auto">
        {session.live && (
          <span className={css.live} title="Being written to">
            <span className={hidden.hidden}>Live: </span>
          </span>
        )}
        {title}
      </span>
      <span className={clsx(css.meta, session.faults > 0 && css.faulty)}>
        <span title={formatTime(session.updatedAt)}>{formatWhen(session.updatedAt, now)}</span>
        {group !== 'project' && <span title={row.project}>{projectName(row.project)}</span>}
        {group !== 'agent' && <span className={css.agent}>{agentNames[session.agent]}</span>}
        {session.faults > 0 && <span className={css.faults}>{plural(session.faults, 'fault')}</span>}
        {runs > 1 && <span>{plural(runs, 'run')}</span>}
        {below.forks > 0 && <span>{plural(below.forks, 'fork')}</span>}
        {below.continuations > 0 && <span>{plural(below.continuations, 'continuation')}</span>}
        {below.subagents > 0 && <span>{plural(below.subagents, 'subagent')}</span>}
        {session.leaves > 1 && <span>{plural(session.leaves, 'leaf', 'leaves')}</span>}
        <span title="Tokens recorded in this session">
          {formatTokens(session.usage.total)}
          <span className={session.usage.total ? hidden.hidden : undefined}> tokens</span>
        </span>
        {session.compactions > 0 && <span>{plural(session.compactions, 'compaction')}</span>}
      </span>
    </>
  )
}
