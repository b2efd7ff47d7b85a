import { clsx } from 'clsx'
import { type ReactNode, useCallback, useState } from 'react'
import type { ComparedMessage, ContextComparison, MessageHead } from '#shared/contract/context.ts'
import type { SessionKey } from '#shared/model/keys.ts'
import { Button } from '#renderer/components/button/Button.tsx'
import { MeasuredList } from '#renderer/components/measured-list/MeasuredList.tsx'
import { FailureNotice } from '#renderer/components/notice/FailureNotice.tsx'
import { Notice } from '#renderer/components/notice/Notice.tsx'
import { useComparedMessages, useContextComparison } from '#renderer/state/context-queries.ts'
import view from '#renderer/styles/view.module.css'
import { formatCount, plural } from '#renderer/text/numbers.ts'
import css from './Context.module.css'
import { Difference } from './Difference.tsx'
import { MessageBody } from './MessageBody.tsx'
import { MessageLine } from './MessageLine.tsx'
import { type ContextParts, lineHeight, toggled } from './SingleContext.tsx'

interface ComparisonProps extends ContextParts {
  readonly left: string
  readonly right: string
  readonly onSwap: () => void
  readonly onEnd: () => void
}

/** Two contexts side by side: what they share, what differs, and what only one holds. */
export function Comparison(props: ComparisonProps): ReactNode {
  const { session, left, right } = props
  const comparison = useContextComparison(session, left, right)
  return (
    <div className={view.view}>
      <div className={clsx(view.bar, css.bar)}>
        <p className={css.facts} role="status">
          {comparison.data === undefined ? 'Comparing' : inWords(comparison.data)}
        </p>
        <div className={css.actions}>
          {props.onFollow !== null && (
            <Button look="quiet" title="Compare the entry that is selected now" onClick={props.onFollow}>
              Follow the selection
            </Button>
          )}
          <Button look="quiet" onClick={props.onSwap}>
            Swap sides
          </Button>
          <Button look="quiet" onClick={props.onEnd}>
            End comparison
          </Button>
        </div>
      </div>
      {comparison.error !== null && <FailureNotice error={comparison.error} />}
      {comparison.error === null && comparison.data === undefined && (
        <Notice kind="busy" title="Putting together what the model saw at both" />
      )}
      {comparison.data !== undefined && left === right && (
        <Notice title="Both sides are the same entry">
          <p>It is kept as the right side. Select another entry in the tree to see how its context differs.</p>
        </Notice>
      )}
      {comparison.data !== undefined && left !== right && <Sides {...props} comparison={comparison.data} />}
    </div>
  )
}

function inWords({ ancestor, prefix, rows }: ContextComparison): ReactNode {
  return (
    <>
      <span>
        {ancestor === null ? (
          'No common ancestor'
        ) : (
          <>
            Common ancestor <code>{ancestor}</code>
          </>
        )}
      </span>{' '}
      ·{' '}
      <span>
        {prefix.messages === rows ? 'no difference' : `first difference at message ${formatCount(prefix.messages + 1)}`}
      </span>
    </>
  )
}

function Sides(props: ComparisonProps & { readonly comparison: ContextComparison }): ReactNode {
  const { session, left, right, comparison, onSource } = props
  const { prefix, rows } = comparison
  const [isFolded, fold] = useState(prefix.messages > 0)
  const [range, setRange] = useState({ first: 0, last: -1 })
  const [active, activate] = useState(0)
  const [opened, open] = useState<ReadonlySet<number>>(new Set())
  /** Rows in front of the first that is shown by itself; the fold itself is one item. */
  const hidden = isFolded ? prefix.messages : 0
  const rowAt = useCallback((index: number) => (hidden > 0 ? index - 1 + hidden : index), [hidden])
  const shown = useComparedMessages(session, left, right, { first: rowAt(range.first), last: rowAt(range.last) })
  const onRange = useCallback((first: number, last: number) => setRange({ first, last }), [])
  const isFold = (index: number) => hidden > 0 && index === 0
  const toggle = (index: number) => {
    if (isFold(index)) {
      fold(false)
      activate(0)
    } else open(toggled(opened, rowAt(index)))
  }
  return (
    <>
      <div className={css.sides}>
        <SideHead name="Left" entry={left} comparison={comparison} />
        <SideHead name="Right" entry={right} comparison={comparison} />
      </div>
      <MeasuredList
        label="Messages of both contexts"
        className={css.list}
        count={hidden > 0 ? rows - hidden + 1 : rows}
        estimate={lineHeight}
        keyAt={rowAt}
        active={active}
        onMove={activate}
        onPick={(index, target) => {
          activate(index)
          if (target.closest('[data-body]') === null) toggle(index)
        }}
        onEnter={() => toggle(active)}
        onRange={onRange}
      >
        {(index) => (
          <div className={css.message} data-active={index === active}>
            {isFold(index) ? (
              <button type="button" className={css.fold} aria-expanded={false} onClick={() => toggle(index)}>
                {plural(prefix.messages, 'message')} in common · {plural(prefix.tokens, 'token')}
              </button>
            ) : (
              <ComparedRow
                session={session}
                left={left}
                right={right}
                row={shown.get(rowAt(index))}
                isOpen={opened.has(rowAt(index))}
                onToggle={() => toggle(index)}
                onSource={onSource}
              />
            )}
          </div>
        )}
      </MeasuredList>
    </>
  )
}

function SideHead(props: {
  readonly name: 'Left' | 'Right'
  readonly entry: string
  readonly comparison: ContextComparison
}): ReactNode {
  const { name, entry, comparison } = props
  const head = name === 'Left' ? comparison.left : comparison.right
  const only = name === 'Left' ? comparison.onlyLeft : comparison.onlyRight
  const changed = name === 'Left' ? comparison.changed.leftTokens : comparison.changed.rightTokens
  return (
    <section className={css.side} aria-label={`${name} side`}>
      <p>
        <strong>{name}</strong> <code>{entry}</code>
      </p>
      <p>
        {plural(head.messages, 'message')} · {plural(head.tokens, 'token')}
      </p>
      <p className={css.caption}>
        {formatCount(comparison.common.tokens)} in common · {formatCount(changed)} changed · {formatCount(only.tokens)}{' '}
        only here
      </p>
    </section>
  )
}

interface ComparedRowProps {
  readonly session: SessionKey
  readonly left: string
  readonly right: string
  readonly row: ComparedMessage | undefined
  readonly isOpen: boolean
  readonly onToggle: () => void
  readonly onSource: (entry: string) => void
}

function ComparedRow({ session, left, right, row, isOpen, onToggle, onSource }: ComparedRowProps): ReactNode {
  if (row === undefined) return <p className={css.line} />
  const line = (message: MessageHead) => <MessageLine message={message} isOpen={isOpen} onToggle={onToggle} />
  const body = (entry: string, message: MessageHead) =>
    isOpen && <MessageBody session={session} entry={entry} message={message} onSource={onSource} />
  switch (row.kind) {
    case 'common':
      return (
        <div data-compared="common">
          {line(row.left)}
          {body(left, row.left)}
        </div>
      )
    case 'left':
      return (
        <div className={css.pair}>
          <div className={css.removed}>
            {line(row.left)}
            {body(left, row.left)}
          </div>
          <p className={css.absent}>only left</p>
        </div>
      )
    case 'right':
      return (
        <div className={css.pair}>
          <p className={css.absent}>only right</p>
          <div className={css.added}>
            {line(row.right)}
            {body(right, row.right)}
          </div>
        </div>
      )
    case 'changed':
      return (
        <>
          <div className={css.pair}>
            <div className={css.removed}>{line(row.left)}</div>
            <div className={css.added}>{line(row.right)}</div>
          </div>
          {isOpen && <Difference session={session} left={left} right={right} message={row.left} onSource={onSource} />}
        </>
      )
  }
}
