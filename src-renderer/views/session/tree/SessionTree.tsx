import { type KeyboardEvent, type ReactNode, useCallback, useEffect, useMemo, useState } from 'react'
import type { Outline } from '#shared/model/entry.ts'
import type { SessionKey } from '#shared/model/keys.ts'
import { branchStart, foldAt } from '#shared/tree/moves.ts'
import { goToContent } from '#renderer/components/entry-content/entry-content.ts'
import { FailureNotice } from '#renderer/components/notice/FailureNotice.tsx'
import { Notice } from '#renderer/components/notice/Notice.tsx'
import { Tree } from '#renderer/components/tree/Tree.tsx'
import { positionsOf } from '#renderer/state/outline-path.ts'
import { useEntryRows, useOutline } from '#renderer/state/queries.ts'
import {
  useChangeView,
  useCurrentLeaf,
  useSelectedEntry,
  useSelectedSession,
  useSelectEntry,
  useToggleFold,
  useView
} from '#renderer/state/selection.ts'
import { useRowHeight } from '#renderer/state/settings.ts'
import view from '#renderer/styles/view.module.css'
import { nothingShown } from '#renderer/text/tree-rows.ts'
import { foldState, linearParts } from './linear-parts.ts'
import { moveFor } from './tree-keys.ts'
import { TreeBar } from './TreeBar.tsx'
import { useTreeLayout } from './use-tree-layout.ts'

/** Rows fetched on either side of those in view. */
const ahead = 40

/** The selected session's tree. */
export function SessionTree(): ReactNode {
  const session = useSelectedSession()
  const outline = useOutline(session)
  if (outline.error !== null) return <FailureNotice error={outline.error} />
  if (session === null || outline.data === undefined) return <Notice kind="busy" title="Reading the tree" />
  if (outline.data.ids.length === 0) return <Notice title={nothingShown.all} />
  return <OutlineTree key={session} session={session} outline={outline.data} />
}

function OutlineTree({ session, outline }: { readonly session: SessionKey; readonly outline: Outline }): ReactNode {
  const { entry: chosen, filter, folds } = useView()
  const leafId = useCurrentLeaf()
  const selectedId = useSelectedEntry()
  const selectEntry = useSelectEntry()
  const toggleFold = useToggleFold()
  const changeView = useChangeView()
  const rowHeight = useRowHeight()
  const positions = positionsOf(outline)
  const leaf = leafId === null ? -1 : (positions.get(leafId) ?? -1)
  const { tree, rows, lanes, pathLength } = useTreeLayout(outline, filter, folds, leaf)
  const leaves = useMemo(
    () => new Map(outline.leaves.map(({ id }, index) => [positionsOf(outline).get(id) ?? -1, index + 1])),
    [outline]
  )
  const labels = useMemo(() => new Map(outline.labels.map(({ at, label }) => [at, label])), [outline])

  const isFolded = useMemo(() => foldState(rows), [rows])

  let visible = selectedId === null ? -1 : (positions.get(selectedId) ?? -1)
  while (visible >= 0 && (rows.rowOf[visible] ?? -1) < 0) visible = tree.parents[visible] ?? -1
  const selected = visible < 0 ? -1 : (rows.rowOf[visible] ?? -1)
  // The list begins around the selected row: it need not say so first.
  const [range, setRange] = useState({ first: selected - ahead, last: selected + ahead })

  // An entry chosen elsewhere may lie below a folded branch point: that is unfolded, once.
  useEffect(() => {
    const at = chosen === null ? undefined : positions.get(chosen)
    if (at === undefined || (rows.rowOf[at] ?? -1) >= 0) return
    const open = new Set(folds)
    for (let above = tree.parents[at] ?? -1; above >= 0; above = tree.parents[above] ?? -1) {
      const row = rows.rowOf[above] ?? -1
      if (row < 0 || foldAt(rows, row) === 'branch') open.delete(outline.ids[above] ?? '')
    }
    if (open.size < folds.size) changeView({ folds: open })
    // oxlint-disable-next-line react/exhaustive-deps -- what is folded later, by hand, stays folded
  }, [chosen])

  const entries = useEntryRows(session, outline, [
    ...rows.entries.subarray(Math.max(0, range.first - ahead), range.last + 1 + ahead)
  ])
  const onRange = useCallback((first: number, last: number) => setRange({ first, last }), [])
  const idAt = useCallback((row: number) => outline.ids[rows.entries[row] ?? -1], [outline, rows])
  const onSelect = useCallback(
    (row: number) => {
      const id = idAt(row)
      if (id !== undefined) selectEntry(id)
    },
    [idAt, selectEntry]
  )
  const onToggle = useCallback(
    (row: number) => {
      const id = idAt(foldAt(rows, row) === 'rest' ? branchStart(rows, row) : row)
      if (id !== undefined) toggleFold(id)
    },
    [idAt, rows, toggleFold]
  )
  const onKeyDown = (event: KeyboardEvent): void => {
    const isAllInView = range.first === 0 && range.last === rows.count - 1
    const page = isAllInView ? rows.count : Math.max(1, range.last - range.first - 1)
    const move = moveFor(event, { rows, onPath: lanes.onPath, row: selected, page })
    if (move === null) return
    event.preventDefault()
    if (move.kind === 'toggle') onToggle(move.row)
    else if (move.kind === 'select') onSelect(move.row)
    else if (selectedId !== null) goToContent(selectedId)
  }

  return (
    <div className={view.view}>
      <TreeBar
        filter={filter}
        onFilter={(shown) => changeView({ filter: shown })}
        leaf={leaves.get(leaf) ?? 0}
        leaves={outline.leaves.length}
        pathLength={pathLength}
        entries={outline.ids.length}
        isFolded={isFolded}
        onFold={() => changeView({ folds: new Set(linearParts(outline, rows)) })}
        onUnfold={() => changeView({ folds: new Set() })}
      />
      {rows.count === 0 ? (
        <Notice title={nothingShown[filter]} />
      ) : (
        <Tree
          label="Entries"
          outline={outline}
          rows={rows}
          lanes={lanes}
          rowHeight={rowHeight}
          entries={entries}
          labels={labels}
          leaves={leaves}
          currentLeaf={leaf}
          selected={selected}
          onSelect={onSelect}
          onToggle={onToggle}
          onKeyDown={onKeyDown}
          onRange={onRange}
        />
      )}
    </div>
  )
}
