import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, type ReactNode, useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import type { SessionKey } from '#shared/model/keys.ts'
import { FailureNotice } from '#renderer/components/notice/FailureNotice.tsx'
import { Notice } from '#renderer/components/notice/Notice.tsx'
import { useEntryDetail, useLines, useSessionFiles } from '#renderer/state/queries.ts'
import { useChangeView, useSelectedEntry, useSelectEntry, useView } from '#renderer/state/selection.ts'
import { useRowHeight } from '#renderer/state/settings.ts'
import view from '#renderer/styles/view.module.css'
import { formatBytes } from '#renderer/text/numbers.ts'
import { shortPaths } from '#renderer/text/paths.ts'
import { RawLineRow } from './RawLineRow.tsx'
import css from './RawLines.module.css'
import { WholeLine } from './WholeLine.tsx'

/** The lines of a session's files, as they are on disk: of the one that was asked for, else of the selected entry's. */
export function RawLines({ session }: { readonly session: SessionKey }): ReactNode {
  const files = useSessionFiles(session)
  const selected = useSelectedEntry()
  const detail = useEntryDetail(session, selected)
  const { file: wanted, line } = useView()
  const changeView = useChangeView()
  const id = useId()
  const error = files.error ?? (wanted === null ? detail.error : null)
  if (error !== null) return <FailureNotice error={error} />
  const isKnown = wanted !== null || detail.data !== undefined || files.data?.length === 1
  if (files.data === undefined || !isKnown) return <Notice kind="busy" title="Reading the lines" />
  const entry = detail.data?.entry
  const file = wanted ?? entry?.file ?? 0
  const names = shortPaths(files.data.map(({ path }) => path))
  return (
    <div className={view.view}>
      {files.data.length > 1 && (
        <div className={view.bar}>
          <label htmlFor={id}>File</label>
          <select
            id={id}
            className={css.files}
            value={file}
            onChange={(event) => changeView({ file: Number(event.target.value), line: null })}
          >
            {files.data.map(({ path, bytes }, index) => (
              <option key={path} value={index}>
                {names[index]} · {formatBytes(bytes)}
              </option>
            ))}
          </select>
        </div>
      )}
      <FileLines
        key={file}
        session={session}
        file={file}
        goal={line ?? selected}
        target={line ?? (entry?.id === selected && entry?.file === file ? entry.line : null)}
      />
    </div>
  )
}

interface FileLinesProps {
  readonly session: SessionKey
  readonly file: number
  /** What is gone to, once for each: a line, or an entry. */
  readonly goal: number | string | null
  /** The goal's line, null until it is known and where it is not in this file. */
  readonly target: number | null
}

/** Choosing a line that holds an entry selects the entry. */
function FileLines({ session, file, goal, target }: FileLinesProps): ReactNode {
  const scroller = useRef<HTMLDivElement>(null)
  const rowHeight = useRowHeight()
  const selected = useSelectedEntry()
  const selectEntry = useSelectEntry()
  const changeView = useChangeView()
  const [active, setActive] = useState<number | null>(null)
  const [isWholeShown, showWhole] = useState(false)
  const [range, setRange] = useState({ first: 0, last: 0 })
  const { total, lines, error } = useLines(session, file, range.first, range.last)

  const virtual = useVirtualizer({
    count: total ?? 0,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 12,
    onChange: ({ range: visible }) => {
      if (visible !== null) setRange({ first: visible.startIndex, last: visible.endIndex })
    }
  })

  useLayoutEffect(() => virtual.measure(), [virtual, rowHeight])

  const isReady = total !== undefined
  /** The goal that was gone to, or that the person went on from before its line was known. */
  const reached = useRef<FileLinesProps['goal']>(null)
  useEffect(() => {
    if (target === null || !isReady || reached.current === goal) return
    reached.current = goal
    setActive(target)
    virtual.scrollToIndex(target - 1)
  }, [goal, target, isReady, virtual])
  const place = useRef<number | null>(null)
  useEffect(() => {
    place.current = active
  }, [active])
  // Where the person went before there were lines.
  useEffect(() => {
    if (isReady && place.current !== null) virtual.scrollToIndex(place.current - 1)
  }, [isReady, virtual])
  // The whole line takes half of the view: its row stays in the rest.
  useEffect(() => {
    if (isWholeShown) virtual.scrollToIndex((place.current ?? 1) - 1)
  }, [isWholeShown, virtual])

  if (error !== null) return <FailureNotice error={error} />
  if (total === 0) return <Notice title="The file is empty" />

  const end = total ?? Infinity
  const current = Math.min(active ?? 1, end)
  const currentLine = lines.get(current)
  const activate = (line: number) => {
    const clamped = Math.min(end, Math.max(1, line))
    reached.current = goal
    setActive(clamped)
    virtual.scrollToIndex(clamped - 1)
  }
  const choose = (line: number) => {
    reached.current = goal
    setActive(line)
    const entry = lines.get(line)?.entry
    if (entry === undefined || entry === null) return
    reached.current = entry
    selectEntry(entry)
    changeView({ file })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / rowHeight) - 1)
    const moves: Readonly<Record<string, () => void>> = {
      ArrowDown: () => activate(current + 1),
      ArrowUp: () => activate(current - 1),
      PageDown: () => activate(current + page),
      PageUp: () => activate(current - page),
      Home: () => activate(1),
      End: () => activate(end),
      Enter: () => choose(current),
      ' ': () => showWhole(!isWholeShown)
    }
    const move = Object.hasOwn(moves, event.key) ? moves[event.key] : undefined
    if (move === undefined) return
    event.preventDefault()
    move()
  }

  return (
    <>
      <div
        className={css.grid}
        role="grid"
        aria-label="Lines of the file"
        aria-rowcount={(total ?? 0) + 1}
        aria-activedescendant={isReady ? `raw-line-${current}` : undefined}
        tabIndex={0}
        onKeyDown={onKeyDown}
      >
        <div className={css.head} role="row" aria-rowindex={1}>
          <span role="columnheader">Line</span>
          <span role="columnheader">Offset</span>
          <span role="columnheader" title="With the end of the line">
            Bytes
          </span>
          <span role="columnheader">What</span>
          <span role="columnheader">Text</span>
        </div>
        <div ref={scroller} className={css.scroller} role="rowgroup" tabIndex={-1}>
          <div className={css.sizer} role="presentation" style={{ height: virtual.getTotalSize() }}>
            {virtual.getVirtualItems().map(({ index, start }) => {
              const number = index + 1
              const line = lines.get(number)
              return (
                <RawLineRow
                  key={index}
                  number={number}
                  start={start}
                  line={line}
                  active={number === current}
                  selected={selected !== null && line?.entry === selected}
                  onChoose={() => choose(number)}
                  onShow={() => {
                    choose(number)
                    showWhole(true)
                  }}
                />
              )
            })}
          </div>
        </div>
      </div>
      {isWholeShown && currentLine !== undefined && (
        <WholeLine key={current} session={session} file={file} line={currentLine} onClose={() => showWhole(false)} />
      )}
    </>
  )
}
