import { clsx } from 'clsx'
import { type ReactNode, useCallback, useState } from 'react'
import type { MessageHead } from '#shared/contract/context.ts'
import type { SessionKey } from '#shared/model/keys.ts'
import { Button } from '#renderer/components/button/Button.tsx'
import { FaultText } from '#renderer/components/fault/FaultText.tsx'
import { Floating } from '#renderer/components/floating/Floating.tsx'
import { MeasuredList } from '#renderer/components/measured-list/MeasuredList.tsx'
import { FailureNotice } from '#renderer/components/notice/FailureNotice.tsx'
import { Notice } from '#renderer/components/notice/Notice.tsx'
import { type ContextHead, useContextHead, useContextMessages } from '#renderer/state/context-queries.ts'
import view from '#renderer/styles/view.module.css'
import { formatCount, plural } from '#renderer/text/numbers.ts'
import { CompareMenu } from './CompareMenu.tsx'
import css from './Context.module.css'
import { MessageBody } from './MessageBody.tsx'
import { MessageLine } from './MessageLine.tsx'
import { OmittedList } from './OmittedList.tsx'

export interface ContextParts {
  readonly session: SessionKey
  readonly onSource: (entry: string) => void
  /** Goes back to the selected entry's context; null where that is the one shown. */
  readonly onFollow: (() => void) | null
}

interface SingleContextProps extends ContextParts {
  readonly entry: string
  readonly onCompare: (entry: string) => void
}

/** The reconstructed request at an entry, message by message. */
export function SingleContext(props: SingleContextProps): ReactNode {
  const { session, entry } = props
  const head = useContextHead(session, entry)
  if (head.error !== null) return <FailureNotice error={head.error} />
  if (head.data === undefined) return <Notice kind="busy" title="Putting together what the model saw" />
  return (
    <div className={view.view}>
      <ContextBar {...props} head={head.data} />
      {head.data.messages === 0 ? (
        <Notice title="The agent would send nothing from here" />
      ) : (
        <Messages session={session} entry={entry} head={head.data} onSource={props.onSource} />
      )}
    </div>
  )
}

function ContextBar({
  session,
  entry,
  head,
  onFollow,
  onCompare
}: SingleContextProps & { head: ContextHead }): ReactNode {
  const [open, setOpen] = useState<'omitted' | 'faults' | 'compare' | null>(null)
  const floating = (name: 'omitted' | 'faults' | 'compare') => ({
    open: open === name,
    onOpenChange: (isOpen: boolean) => setOpen(isOpen ? name : null)
  })
  const omitted = head.omitted.reduce((sum, { count }) => sum + count, 0)
  return (
    <div className={clsx(view.bar, css.bar)}>
      <p className={css.facts} role="status">
        <span>
          At <code>{entry}</code>
        </span>{' '}
        · <span>{plural(head.messages, 'message')}</span> · <span>{tokensInWords(head)}</span> ·{' '}
        <span>{head.model === null ? 'model unknown' : `${head.model.provider}/${head.model.name}`}</span> ·{' '}
        <span>thinking {head.thinking ?? 'unknown'}</span>
      </p>
      <div className={css.actions}>
        {onFollow !== null && (
          <Button look="quiet" title="Show the context at the entry that is selected now" onClick={onFollow}>
            Follow the selection
          </Button>
        )}
        {omitted > 0 && (
          <Floating
            label={`${formatCount(omitted)} not in it`}
            title="Entries of the path that are not in it"
            {...floating('omitted')}
          >
            <OmittedList session={session} entry={entry} head={head} />
          </Floating>
        )}
        {head.faultCount > 0 && (
          <Floating label={plural(head.faultCount, 'fault')} title="Faults of this context" {...floating('faults')}>
            {head.faults.map((fault, index) => (
              <FaultText key={index} fault={fault} />
            ))}
            {head.faultCount > head.faults.length && (
              <p>and {formatCount(head.faultCount - head.faults.length)} more</p>
            )}
          </Floating>
        )}
        <Floating label="Compare with…" title="Compare with what the model saw at" {...floating('compare')}>
          <CompareMenu
            session={session}
            entry={entry}
            onChoose={(other) => {
              setOpen(null)
              onCompare(other)
            }}
          />
        </Floating>
      </div>
    </div>
  )
}

/** "about 31,204 tokens, 1,020 of them recorded": the rest is estimated. */
function tokensInWords({ tokens, recordedTokens }: ContextHead): string {
  const all = plural(tokens, 'token')
  if (recordedTokens === 0) return `about ${all}, estimated`
  if (recordedTokens === tokens) return `${all}, recorded`
  return `about ${all}, ${formatCount(recordedTokens)} of them recorded`
}

function Messages(props: {
  readonly session: SessionKey
  readonly entry: string
  readonly head: ContextHead
  readonly onSource: (entry: string) => void
}): ReactNode {
  const { session, entry, head, onSource } = props
  const [range, setRange] = useState({ first: 0, last: -1 })
  const [active, activate] = useState(0)
  const [opened, open] = useState<ReadonlySet<number>>(new Set())
  const messages = useContextMessages(session, entry, range)
  const onRange = useCallback((first: number, last: number) => setRange({ first, last }), [])
  const toggle = (index: number) => open(toggled(opened, index))
  return (
    <MeasuredList
      label="Messages of the context"
      className={css.list}
      count={head.messages}
      estimate={lineHeight}
      keyAt={itself}
      active={active}
      onMove={activate}
      onPick={(index, target) => {
        activate(index)
        if (target.closest('[data-body]') === null) toggle(index)
      }}
      onEnter={() => toggle(active)}
      onRange={onRange}
    >
      {(index) => {
        const message = messages.get(index)
        return (
          <div className={css.message} data-active={index === active}>
            <MessageRow message={message} isOpen={opened.has(index)} onToggle={() => toggle(index)} />
            {message !== undefined && opened.has(index) && (
              <MessageBody session={session} entry={entry} message={message} onSource={onSource} />
            )}
          </div>
        )
      }}
    </MeasuredList>
  )
}

function MessageRow(props: {
  readonly message: MessageHead | undefined
  readonly isOpen: boolean
  readonly onToggle: () => void
}): ReactNode {
  if (props.message === undefined) return <p className={css.line} />
  return <MessageLine message={props.message} isOpen={props.isOpen} onToggle={props.onToggle} />
}

export const lineHeight = (): number => 27

const itself = (index: number): number => index

export function toggled(set: ReadonlySet<number>, member: number): ReadonlySet<number> {
  const copy = new Set(set)
  if (!copy.delete(member)) copy.add(member)
  return copy
}
