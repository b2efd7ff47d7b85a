import type { ReactNode } from 'react'
import type { EntryContent } from '#shared/contract/transcript.ts'
import type { EntryRow } from '#shared/model/entry.ts'
import type { SessionKey } from '#shared/model/keys.ts'
import { plural } from '#renderer/text/numbers.ts'
import { speakerOf } from '#renderer/text/speakers.ts'
import { formatTime } from '#renderer/text/times.ts'
import { ContentBlock } from './ContentBlock.tsx'
import { Folded } from './Folded.tsx'
import { ResultBlocks, ToolCall, type ToolResult } from './ToolCall.tsx'
import css from './TranscriptItem.module.css'
import type { ItemKind } from './transcript-items.ts'

interface ItemProps {
  readonly session: SessionKey
  readonly kind: ItemKind
  /** Id of the item's own entry. */
  readonly id: string
  readonly row: EntryRow | undefined
  readonly content: EntryContent | undefined
  readonly results: readonly ToolResult[]
  /** Id of the selected entry, where it is one of this item. */
  readonly selected: string | null
}

/** One message of the conversation, or what stands between two of them. */
export function TranscriptItem(props: ItemProps): ReactNode {
  switch (props.kind) {
    case 'message':
      return <Message {...props} />
    case 'separator':
      return <Separator {...props} />
    case 'quiet':
      return <QuietLine {...props} />
  }
}

function Message({ session, id, row, content, results, selected }: ItemProps): ReactNode {
  const speaker = row === undefined ? null : speakerOf(row.kind, row.role, row.tool)
  const isTool = speaker?.tone === 'tool'
  return (
    <div className={css.message} data-tone={speaker?.tone} data-selected={selected !== null}>
      <header className={css.head}>
        <strong className={css.speaker} data-tone={speaker?.tone}>
          {speaker?.name}
        </strong>
        {typeof row?.label === 'string' && <span className={css.label}>{row.label}</span>}
        {typeof row?.model === 'string' && <span className={css.fact}>{row.model}</span>}
        <span className={css.time}>{row === undefined ? '' : formatTime(row.time)}</span>
      </header>
      {content === undefined ? (
        <p className={css.waiting}>{row?.summary}</p>
      ) : isTool && row?.role !== 'bashExecution' ? (
        <ResultBlocks session={session} content={content} />
      ) : (
        <MessageBlocks session={session} content={content} results={results} isToolOutput={isTool} />
      )}
      {content !== undefined && content.moreBlocks > 0 && (
        <p className={css.waiting}>{plural(content.moreBlocks, 'more block')}: the inspector has them all</p>
      )}
      {row?.failed === true && <Failure id={id} content={content} />}
    </div>
  )
}

function MessageBlocks(props: {
  readonly session: SessionKey
  readonly content: EntryContent
  readonly results: readonly ToolResult[]
  readonly isToolOutput: boolean
}): ReactNode {
  const { session, content, results, isToolOutput } = props
  const { byCall, unasked } = paired(content, results)
  const waiting = results.some((result) => result.content === undefined)
  return (
    <>
      {content.blocks.map((block, index) => {
        const place = { session, entry: content.id, index, block }
        return block.type === 'tool-call' ? (
          <ToolCall key={index} {...place} result={byCall.get(block.callId ?? '')} waiting={waiting} />
        ) : (
          <ContentBlock key={index} {...place} isToolOutput={isToolOutput} />
        )
      })}
      {content.blocks.length === 0 && <p className={css.waiting}>No content</p>}
      {unasked.map((result) => (
        <div key={result.id} className={css.tool} data-entry={result.id}>
          <Folded name={result.id} label={<span className={css.absent}>A result for which no call is recorded</span>}>
            <ResultBlocks session={session} content={result} />
          </Folded>
        </div>
      ))}
    </>
  )
}

/** Results by the id of the call that they answer; `unasked` are those of which this message holds no call. */
function paired(
  content: EntryContent,
  results: readonly ToolResult[]
): { readonly byCall: ReadonlyMap<string, ToolResult>; readonly unasked: readonly EntryContent[] } {
  const calls = new Set(content.blocks.flatMap(({ type, callId }) => (type === 'tool-call' ? [callId ?? ''] : [])))
  const byCall = new Map<string, ToolResult>()
  const unasked: EntryContent[] = []
  for (const result of results) {
    if (result.content === undefined) continue
    const call = callOf(result.content)
    if (calls.has(call) && !byCall.has(call)) byCall.set(call, result)
    else unasked.push(result.content)
  }
  return { byCall, unasked }
}

/** The call that a result answers: its blocks say it, or, where it has none, its facts. */
const callOf = ({ blocks, facts }: EntryContent): string =>
  blocks.find(({ callId }) => callId !== null)?.callId ?? facts.find(([name]) => name === 'Call')?.[1] ?? ''

function Failure({ id, content }: { readonly id: string; readonly content: EntryContent | undefined }): ReactNode {
  const factOf = (name: string) => content?.facts.find(([fact]) => fact === name)?.[1]
  const why = factOf('Error') ?? factOf('Stop reason') ?? factOf('Exit code')
  return (
    <p className={css.failed} data-entry={id}>
      Failed{why === undefined ? '' : `: ${why}`}
    </p>
  )
}

/** Where the conversation was cut or taken up elsewhere. */
function Separator({ session, id, row, content, selected }: ItemProps): ReactNode {
  const speaker = row === undefined ? null : speakerOf(row.kind, row.role, row.tool)
  return (
    <div className={css.separator} data-tone={speaker?.tone} data-selected={selected !== null}>
      <p className={css.separatorHead}>
        <strong className={css.speaker} data-tone={speaker?.tone}>
          {row?.kind === 'branch-summary' ? 'Summary of another branch' : speaker?.name}
        </strong>
        <span className={css.fact}>{row?.kind === 'branch-summary' ? '' : row?.summary}</span>
      </p>
      {content?.blocks.map((block, index) =>
        block.type === 'text' ? (
          <Folded key={index} name={`${id} ${index}`} label={`What it says · ${plural(block.length, 'character')}`}>
            <ContentBlock session={session} entry={id} index={index} block={block} isToolOutput={false} />
          </Folded>
        ) : (
          <ContentBlock key={index} session={session} entry={id} index={index} block={block} isToolOutput />
        )
      )}
    </div>
  )
}

/** Something of the session that nobody said. */
function QuietLine({ row, selected }: ItemProps): ReactNode {
  const speaker = row === undefined ? null : speakerOf(row.kind, row.role, row.tool)
  const summary = row?.summary ?? ''
  const isNamed = speaker === null || summary.toLowerCase().startsWith(speaker.name.toLowerCase())
  return (
    <p className={css.quiet} data-selected={selected !== null}>
      {!isNamed && <strong>{speaker.name} </strong>}
      {summary}
    </p>
  )
}
