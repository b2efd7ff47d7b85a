import { clsx } from 'clsx'
import { memo, type ReactNode } from 'react'
import type { EntryRow, Mark } from '#shared/model/entry.ts'
import { type Lanes, strokesAt } from '#shared/tree/lanes.ts'
import type { Speaker } from '#renderer/text/speakers.ts'
import { formatTokens, plural } from '#renderer/text/numbers.ts'
import { placeInWords } from '#renderer/text/tree-rows.ts'
import { LaneDrawing } from './LaneDrawing.tsx'
import type { LaneMetrics } from './lane-metrics.ts'
import hiddenCss from '#renderer/styles/visually-hidden.module.css'
import css from './TreeRow.module.css'

export interface TreeRowProps {
  readonly id: string
  readonly row: number
  readonly lanes: Lanes
  readonly metrics: LaneMetrics
  readonly speaker: Speaker
  /** Undefined until it has arrived. */
  readonly entry: EntryRow | undefined
  readonly label: string | null
  /** Number of the leaf that the row is, from 1, 0 for none, and how many there are. */
  readonly leaf: number
  readonly leaves: number
  readonly isCurrentLeaf: boolean
  readonly isSelected: boolean
  /** True for the row that stands for a folded linear part of `hidden` entries. */
  readonly isRest: boolean
  readonly isBranchPoint: boolean
  readonly hidden: number
  /** Undefined where nothing can be folded. */
  readonly isExpanded: boolean | undefined
  readonly level: number
  readonly place: number
  readonly places: number
  readonly onSelect: (row: number) => void
  readonly onToggle: (row: number) => void
}

export const TreeRow = memo(function TreeRow(props: TreeRowProps): ReactNode {
  const { row, lanes, metrics, speaker, entry, isRest, isExpanded, isSelected, hidden, leaf } = props
  const isOnPath = lanes.onPath[row] === 1
  return (
    // Keys are the tree's: it alone takes the focus and names the active row.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
    <div
      id={props.id}
      role="treeitem"
      className={css.row}
      data-tone={isRest ? 'plain' : speaker.tone}
      data-on-path={isOnPath}
      aria-level={props.level}
      aria-posinset={props.place}
      aria-setsize={props.places}
      aria-expanded={isExpanded}
      aria-selected={isSelected}
      onClick={() => (isRest ? props.onToggle(row) : props.onSelect(row))}
    >
      <span className={css.gutter}>
        <LaneDrawing
          strokes={strokesAt(lanes, row)}
          lane={lanes.lanes[row] ?? 0}
          metrics={metrics}
          tone={isRest ? 'rest' : speaker.tone}
          isOnPath={isOnPath}
        />
      </span>
      <span
        role="presentation"
        className={clsx(css.twist, isExpanded === undefined && css.still)}
        onClick={(event) => {
          event.stopPropagation()
          props.onToggle(row)
        }}
      >
        <svg width="8" height="8" viewBox="0 0 8 8" aria-hidden="true">
          <path d={isExpanded ? 'M1 2.5l3 3 3-3' : 'M2.5 1l3 3-3 3'} />
        </svg>
      </span>
      {isRest ? (
        <span className={css.rest}>{plural(hidden, 'entry', 'entries')}</span>
      ) : (
        <>
          <span className={css.who} title={speaker.name}>
            {speaker.name}
          </span>
          <span className={css.text}>
            {props.label !== null && (
              <span className={clsx(css.chip, css.label)} title={props.label} dir="auto">
                {props.label}
              </span>
            )}
            {leaf > 0 && (
              <span className={clsx(css.chip, props.isCurrentLeaf && css.current)}>
                leaf {leaf}
                <Heard> of {props.leaves}</Heard>
              </span>
            )}
            {hidden > 0 && <span className={css.chip}>{plural(hidden, 'entry', 'entries')} folded</span>}
            {entry?.failed === true && <span className={css.failed}>failed</span>}
            {entry !== undefined && entry.marks.length > 0 && <Marks marks={entry.marks} />}
            {entry === undefined ? (
              <span className={css.waiting}>
                <Heard>loading</Heard>
              </span>
            ) : (
              <span className={css.summary} dir="auto">
                {entry.summary}
              </span>
            )}
          </span>
          <span className={css.tokens}>
            {typeof entry?.contextTokens === 'number' && (
              <>
                {formatTokens(entry.contextTokens)}
                <Heard> tokens</Heard>
              </>
            )}
          </span>
        </>
      )}
      <Heard>{placeInWords(props.isBranchPoint, isOnPath)}</Heard>
    </div>
  )
})

/** The first ones, and how many more; a narrow row has room for one. */
function Marks({ marks }: { readonly marks: readonly Mark[] }): ReactNode {
  return (
    <>
      <span className={css.marks} aria-hidden="true">
        {marks.slice(0, 2).map(({ text, tone, why }) => (
          <span key={text} className={clsx(css.chip, css.mark)} data-tone={tone} title={why}>
            {text}
          </span>
        ))}
        {[1, 2].map((shown) => (
          <More key={shown} marks={marks} shown={shown} />
        ))}
      </span>
      <Heard>{marks.map(({ text }) => text).join(', ')}</Heard>
    </>
  )
}

/** Marks behind those that are shown, in a row that has room for so many. */
function More({ marks, shown }: { readonly marks: readonly Mark[]; readonly shown: number }): ReactNode {
  const rest = marks.slice(shown)
  if (rest.length === 0) return null
  const title = rest.map(({ text, why }) => `${text}: ${why}`).join('\n')
  return (
    <span className={css.more} data-shown={shown} title={title}>
      +{rest.length}
    </span>
  )
}

/** Text for those who hear the row. */
function Heard({ children }: { readonly children: ReactNode }): ReactNode {
  return <span className={hiddenCss.hidden}>{children}</span>
}
