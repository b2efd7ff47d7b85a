import type { ReactNode } from 'react'
import type { EntryContent } from '#shared/contract/transcript.ts'
import type { EntryRow } from '#shared/model/entry.ts'
import type { SessionKey } from '#shared/model/keys.ts'
import { plural } from '#renderer/text/numbers.ts'
import { speakerOf } from '#renderer/text/speakers.ts'
import { formatTime } from '#renderer/text/times.ts'
import { blockGroups } from './block-groups.ts'
import { ContentBlock } from './ContentBlock.tsx'
import { Folded } from './Folded.tsx'
import { useOpenPart } from './open-parts.ts'
import { type CallPlace, isFailed, type Part, toolCalls } from './tool-calls.ts'
import { whyFailed } from './why-failed.ts'
import { ResultBlocks, ToolCall } from './ToolCall.tsx'
import css from './TranscriptItem.module.css'
import type { ItemKind } from './transcript-items.ts'

interface ItemProps {
  readonly session: SessionKey
  readonly kind: ItemKind
  /** Id of the item's own entry. */
  readonly id: string
  readonly row: EntryRow | undefined
  readonly content: EntryContent | undefined
  /** Its other entries, of many the first, and how many there are. */
  readonly parts: readonly Part[]
  readonly count: number
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
      return <QuietLine row={props.row} isSelected={props.selected !== null} />
    case 'log':
      if (props.count === 1) return <QuietLine row={props.row} isSelected={props.selected !== null} />
      return <Entries {...props} label={plural(props.count, 'log entry', 'log entries')} />
    case 'saved':
      return (
        <Entries
          {...props}
          label={`The conversation as it is saved, to go on from · ${plural(props.count, 'message')}`}
        />
      )
  }
}

function Message({ session, id, row, content, parts, selected }: ItemProps): ReactNode {
  const speaker = row === undefined ? null : speakerOf(row.kind, row.role, row.tool)
  const isTool = speaker?.tone === 'tool'
  const isResult = isTool && row?.role !== 'bashExecution' && row?.kind !== 'tool-call'
  return (
    <div className={css.message} data-tone={speaker?.tone} data-selected={selected !== null}>
      <header className={css.head}>
        <strong className={css.speaker} data-tone={speaker?.tone}>
          {speaker?.name}
        </strong>
        {typeof row?.label === 'string' && <span className={css.label}>{row.label}</span>}
        {typeof row?.model === 'string' && <span className={css.fact}>{row.model}</span>}
        {row?.marks.map(({ text, tone, why }) => (
          <span key={text} className={css.mark} data-tone={tone} title={why}>
            {text}
          </span>
        ))}
        <span className={css.time}>{typeof row?.time === 'string' && formatTime(row.time)}</span>
      </header>
      {content === undefined ? (
        <p className={css.waiting}>{row?.summary}</p>
      ) : isResult ? (
        <ResultBlocks
          session={session}
          content={content}
          blocks={[...content.blocks.keys()]}
          isFailed={content.blocks.some(({ isError }) => isError)}
        />
      ) : (
        <MessageBlocks
          session={session}
          content={content}
          parts={parts}
          isToolOutput={isTool}
          isFolded={row?.role === 'system' || row?.role === 'developer'}
        />
      )}
      {content !== undefined && content.moreBlocks > 0 && (
        <p className={css.waiting}>{plural(content.moreBlocks, 'more block')}: the inspector has them all</p>
      )}
      {row?.failed === true && <Failure id={id} content={content} />}
    </div>
  )
}

interface MessageBlocksProps {
  readonly session: SessionKey
  readonly content: EntryContent
  readonly parts: readonly Part[]
  readonly isToolOutput: boolean
  /** True for long texts that nobody said. */
  readonly isFolded: boolean
}

function MessageBlocks({ session, content, parts, isToolOutput, isFolded }: MessageBlocksProps): ReactNode {
  const { others, results, unasked } = toolCalls(content, parts)
  const waiting = parts.some((part) => part.content === undefined)
  const call = (place: CallPlace) => (
    <ToolCall
      key={`${place.entry} ${place.index}`}
      session={session}
      {...place}
      result={results.get(place.block.callId ?? '')}
      waiting={waiting}
    />
  )
  const shown = (index: number): ReactNode => {
    const block = content.blocks[index]
    if (block === undefined) return null
    const place = { entry: content.id, index, block }
    if (block.type === 'tool-call') return call(place)
    const own = <ContentBlock key={index} session={session} {...place} isToolOutput={isToolOutput} />
    if (!isFolded || block.type !== 'text') return own
    return (
      <Folded key={index} name={`${content.id} ${index}`} label={plural(block.length, 'character')}>
        {own}
      </Folded>
    )
  }
  return (
    <>
      {blockGroups(content.blocks).map((indexes) =>
        indexes.length === 1 ? (
          indexes.map(shown)
        ) : (
          <Folded
            key={indexes[0]}
            name={`${content.id} from ${indexes[0]}`}
            label={`${indexes.length} blocks of other types`}
          >
            {indexes.map(shown)}
          </Folded>
        )
      )}
      {content.blocks.length === 0 && <p className={css.waiting}>No content</p>}
      {others.map(call)}
      {unasked.map((result) => (
        <div key={`${result.content.id} ${result.blocks[0]}`} className={css.tool} data-entry={result.content.id}>
          <Folded
            name={`${result.content.id} ${result.blocks[0]}`}
            label={<span className={css.absent}>A result for which no call is recorded</span>}
          >
            <ResultBlocks session={session} {...result} isFailed={isFailed(result)} />
          </Folded>
        </div>
      ))}
    </>
  )
}

function Failure({ id, content }: { readonly id: string; readonly content: EntryContent | undefined }): ReactNode {
  const why = whyFailed(content?.facts ?? [])
  return (
    <p className={css.failed} data-entry={id}>
      Failed{why === undefined ? '' : `: ${why}`}
    </p>
  )
}

/** Where the conversation was cut or taken up elsewhere. */
function Separator({ session, id, row, content, selected }: ItemProps): ReactNode {
  const speaker = row === undefined ? null : speakerOf(row.kind, row.role, row.tool)
  const places = content?.blocks.map((block, index) => ({ block, index })) ?? []
  const texts = places.filter(({ block }) => block.type === 'text')
  const others = places.filter(({ block }) => block.type !== 'text')
  const length = texts.reduce((sum, { block }) => sum + block.length, 0)
  return (
    <div className={css.separator} data-tone={speaker?.tone} data-selected={selected !== null}>
      <p className={css.separatorHead}>
        <strong className={css.speaker} data-tone={speaker?.tone}>
          {row?.kind === 'branch-summary' ? 'Summary of another branch' : speaker?.name}
        </strong>
        <span className={css.fact}>{row?.kind === 'branch-summary' ? '' : row?.summary}</span>
      </p>
      {texts.length > 0 && (
        <Folded name={`${id} says`} label={`What it says · ${plural(length, 'character')}`}>
          {texts.map((place) => (
            <ContentBlock key={place.index} session={session} entry={id} {...place} isToolOutput={false} />
          ))}
        </Folded>
      )}
      {others.map((place) => (
        <ContentBlock key={place.index} session={session} entry={id} {...place} isToolOutput />
      ))}
    </div>
  )
}

interface QuietLineProps {
  readonly row: EntryRow | undefined
  readonly isSelected: boolean
}

/** Something of the session that nobody said. */
function QuietLine({ row, isSelected }: QuietLineProps): ReactNode {
  const speaker = row === undefined ? null : speakerOf(row.kind, row.role, row.tool)
  const summary = row?.summary ?? ''
  const isNamed = speaker === null || summary.toLowerCase().startsWith(speaker.name.toLowerCase())
  return (
    <p className={css.quiet} data-selected={isSelected} data-entry={row?.id}>
      {!isNamed && <strong>{speaker.name} </strong>}
      {summary}
      {row?.failed === true && <span className={css.failed}> failed</span>}
    </p>
  )
}

/** Several entries as one line; open a line each. What is selected is there in any case, and what failed, but for tools: their calls say it. */
function Entries({ id, label, parts, count, selected }: ItemProps & { readonly label: string }): ReactNode {
  const [isOpen, toggle] = useOpenPart(`${id} entries`)
  const lines = parts
    .flatMap(({ row }) => row ?? [])
    .filter((row) => isOpen || (row.failed && row.tool === null) || row.id === selected)
  return (
    <div className={css.entries} data-selected={selected !== null}>
      <details className={css.folded} open={isOpen} onToggle={(event) => toggle(event.currentTarget.open)}>
        <summary>{label}</summary>
      </details>
      {lines.map((row) => (
        <QuietLine key={row.id} row={row} isSelected={row.id === selected} />
      ))}
      {isOpen && count > parts.length && (
        <p className={css.waiting}>
          {plural(count - parts.length, 'more entry', 'more entries')}: the tree has them all
        </p>
      )}
    </div>
  )
}
