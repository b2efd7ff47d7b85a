import { type KeyboardEvent, type ReactNode, useCallback, useId, useMemo } from 'react'
import { type EntryRow, entryKinds, type Outline } from '#shared/model/entry.ts'
import type { Lanes } from '#shared/tree/lanes.ts'
import { foldAt } from '#shared/tree/moves.ts'
import type { Rows } from '#shared/tree/rows.ts'
import { VirtualList } from '#renderer/components/virtual-list/VirtualList.tsx'
import { speakerOf } from '#renderer/text/speakers.ts'
import { laneMetrics } from './lane-metrics.ts'
import css from './Tree.module.css'
import { TreeRow } from './TreeRow.tsx'

export interface TreeProps {
  readonly label: string
  readonly outline: Outline
  readonly rows: Rows
  readonly lanes: Lanes
  /** Height of a row in CSS pixels. */
  readonly rowHeight: number
  /** By position in the outline, as far as they have arrived. */
  readonly entries: ReadonlyMap<number, EntryRow>
  readonly labels: ReadonlyMap<number, string>
  /** Number of each leaf, from 1, by its position. */
  readonly leaves: ReadonlyMap<number, number>
  /** Position of the leaf whose path is drawn in front. */
  readonly currentLeaf: number
  /** Selected row, -1 for none. */
  readonly selected: number
  readonly onSelect: (row: number) => void
  readonly onToggle: (row: number) => void
  readonly onKeyDown: (event: KeyboardEvent) => void
  readonly onRange: (first: number, last: number) => void
}

/** A session's entries, one row each, with the lines that join them. */
export function Tree(props: TreeProps): ReactNode {
  const { outline, rows, lanes, rowHeight, entries, leaves, selected } = props
  const id = useId()
  const metrics = useMemo(() => laneMetrics(lanes.width, rowHeight), [lanes.width, rowHeight])
  const keyAt = useCallback((row: number) => rows.entries[row] ?? -1, [rows])
  const indexOf = useCallback((entry: string | number) => rows.rowOf[Number(entry)] ?? -1, [rows])
  const idAt = (row: number): string => `${id}-${keyAt(row)}`

  return (
    <VirtualList
      role="tree"
      aria-label={props.label}
      aria-activedescendant={selected >= 0 ? idAt(selected) : undefined}
      tabIndex={0}
      className={css.tree}
      count={rows.count}
      rowHeight={rowHeight}
      active={selected}
      keyAt={keyAt}
      indexOf={indexOf}
      growth={outline.revision}
      onRange={props.onRange}
      onKeyDown={props.onKeyDown}
    >
      {(row) => {
        const at = keyAt(row)
        const fold = foldAt(rows, row)
        const entry = entries.get(at)
        const known = entry?.id === outline.ids[at] ? entry : undefined
        const kind = entryKinds[outline.kinds[at] ?? -1] ?? 'unknown'
        const role = outline.roleNames[outline.roles[at] ?? -1] ?? null
        return (
          <TreeRow
            id={idAt(row)}
            row={row}
            lanes={lanes}
            metrics={metrics}
            speaker={speakerOf(kind, role, known?.tool ?? null)}
            entry={known}
            label={props.labels.get(at) ?? null}
            leaf={leaves.get(at) ?? 0}
            leaves={leaves.size}
            isCurrentLeaf={at === props.currentLeaf}
            isSelected={row === selected}
            isRest={fold === 'rest'}
            isBranchPoint={fold === 'branch'}
            hidden={rows.hidden[row] ?? 0}
            isExpanded={fold === 'none' ? undefined : rows.folded[row] === 0}
            level={rows.levels[row] ?? 1}
            place={rows.places[row] ?? 1}
            places={rows.sharing[(rows.branches[row] ?? -1) + 1] ?? 1}
            onSelect={props.onSelect}
            onToggle={props.onToggle}
          />
        )
      }}
    </VirtualList>
  )
}
