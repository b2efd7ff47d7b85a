import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import { type TreeFilter, treeFilters } from '#shared/tree/filter.ts'
import { Button } from '#renderer/components/button/Button.tsx'
import { Chips } from '#renderer/components/chips/Chips.tsx'
import view from '#renderer/styles/view.module.css'
import { formatCount } from '#renderer/text/numbers.ts'
import { filterHints, filterLabels } from '#renderer/text/tree-rows.ts'
import css from './TreeBar.module.css'

interface TreeBarProps {
  readonly filter: TreeFilter
  readonly onFilter: (filter: TreeFilter) => void
  /** Number of the current leaf, from 1, 0 where the path ends at none, and how many there are. */
  readonly leaf: number
  readonly leaves: number
  /** Entries on the current path and in all. */
  readonly pathLength: number
  readonly entries: number
  /** Null where there is nothing to fold, else whether something is folded. */
  readonly isFolded: boolean | null
  readonly onFold: () => void
  readonly onUnfold: () => void
}

/** Which entries the tree shows, and which path is in front. */
export function TreeBar(props: TreeBarProps): ReactNode {
  const { filter, leaf, leaves, pathLength, entries, isFolded } = props
  return (
    <div className={clsx(view.bar, css.bar)}>
      <div className={css.chips}>
        <Chips
          label="Entries shown"
          name="tree-filter"
          choices={treeFilters.map((value) => ({ value, label: filterLabels[value], title: filterHints[value] }))}
          chosen={filter}
          onChoose={props.onFilter}
        />
      </div>
      {isFolded !== null && (
        <Button
          look="quiet"
          className={css.fold}
          title={isFolded ? 'Show every entry again' : 'Fold each long linear part, which has no branch, to one row'}
          onClick={isFolded ? props.onUnfold : props.onFold}
        >
          {isFolded ? 'Unfold' : 'Fold'}
          <Spare> {isFolded ? 'all' : 'linear parts'}</Spare>
        </Button>
      )}
      <p className={css.path} role="status">
        {leaf === 0 ? (
          <>
            <Spare>Path </Spare>beside the leaves
          </>
        ) : (
          <>
            <Spare>Path of </Spare>leaf {formatCount(leaf)} of {formatCount(leaves)}
          </>
        )}{' '}
        · {formatCount(pathLength)} of {formatCount(entries)}
        <Spare> {entries === 1 ? 'entry' : 'entries'}</Spare>
      </p>
    </div>
  )
}

/** Words that are only heard where the bar has no room for them. */
function Spare({ children }: { readonly children: ReactNode }): ReactNode {
  return <span className={css.spare}>{children}</span>
}
