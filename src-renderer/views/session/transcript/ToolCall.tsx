import type { ReactNode } from 'react'
import type { EntryContent } from '#shared/contract/transcript.ts'
import type { EntryRow } from '#shared/model/entry.ts'
import type { SessionKey } from '#shared/model/keys.ts'
import type { BlockPlace } from '#renderer/containers/block/block-place.ts'
import { ContentBlock } from './ContentBlock.tsx'
import { Folded } from './Folded.tsx'
import css from './TranscriptItem.module.css'

/** A tool's result with its entry's row and content, as far as they have arrived. */
export interface ToolResult {
  readonly row: EntryRow | undefined
  readonly content: EntryContent | undefined
}

interface ToolCallProps extends BlockPlace {
  /** Undefined where none is recorded. */
  readonly result: ToolResult | undefined
  /** True until all results of the answer are there, so that none is missed too early. */
  readonly waiting: boolean
}

/** A call and its result in one. */
export function ToolCall({ result, waiting, ...call }: ToolCallProps): ReactNode {
  const { session, block } = call
  const state = result === undefined ? (waiting ? 'reading' : 'none') : result.row?.failed === true ? 'failed' : 'done'
  return (
    <div className={css.tool} data-state={state} data-entry={result?.row?.id}>
      <Folded
        name={`${call.entry} ${call.index}`}
        label={
          <>
            <strong className={css.toolName}>{block.name}</strong>{' '}
            <span className={css.toolSummary}>{result?.row?.summary ?? firstArgument(block.text)}</span>
            {state === 'failed' && <span className={css.failed}> error</span>}
            {state === 'none' && <span className={css.absent}> no result recorded</span>}
          </>
        }
      >
        <p className={css.caption}>Arguments</p>
        <ContentBlock {...call} isToolOutput />
        {result?.content !== undefined && <ResultBlocks session={session} content={result.content} />}
        {state === 'none' && <p className={css.absent}>No result recorded</p>}
      </Folded>
    </div>
  )
}

/** What a tool gave back. */
export function ResultBlocks(props: { readonly session: SessionKey; readonly content: EntryContent }): ReactNode {
  const { session, content } = props
  const isError = content.blocks.some((block) => block.isError)
  return (
    <>
      <p className={css.caption}>{isError ? <span className={css.failed}>Result: error</span> : 'Result'}</p>
      {content.blocks.map((block, index) => (
        <ContentBlock key={index} session={session} entry={content.id} index={index} block={block} isToolOutput />
      ))}
      {content.blocks.length === 0 && <p className={css.caption}>Empty</p>}
    </>
  )
}

/** The first argument of indented JSON on one line, as long as it is short. */
function firstArgument(text: string): string {
  const line = text.split('\n', 2)[1] ?? ''
  return line.trim().replace(/,$/, '').slice(0, 120)
}
