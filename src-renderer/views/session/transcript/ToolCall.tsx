import type { ReactNode } from 'react'
import type { EntryContent } from '#shared/contract/transcript.ts'
import type { SessionKey } from '#shared/model/keys.ts'
import type { BlockPlace } from '#renderer/containers/block/block-place.ts'
import { ContentBlock } from './ContentBlock.tsx'
import { Folded } from './Folded.tsx'
import { isFailed, type ToolResult } from './tool-calls.ts'
import css from './TranscriptItem.module.css'

interface ToolCallProps extends BlockPlace {
  /** Undefined where none is recorded. */
  readonly result: ToolResult | undefined
  /** True until all parts of the answer are there, so that none is missed too early. */
  readonly waiting: boolean
}

/** A call and its result in one. */
export function ToolCall({ result, waiting, ...call }: ToolCallProps): ReactNode {
  const { session, block } = call
  const state = result === undefined ? (waiting ? 'reading' : 'none') : isFailed(result) ? 'failed' : 'done'
  const summary = result?.isAlone === true ? result.row?.summary : undefined
  return (
    <div className={css.tool} data-state={state} data-entry={result?.row?.id}>
      <Folded
        name={`${call.entry} ${call.index}`}
        label={
          <>
            <strong className={css.toolName}>{block.name}</strong>{' '}
            <span className={css.toolSummary} dir="auto">
              {summary ?? firstArgument(block.text)}
            </span>
            {state === 'failed' && <span className={css.failed}> error</span>}
            {state === 'none' && <span className={css.absent}> no result recorded</span>}
          </>
        }
      >
        <p className={css.caption}>Arguments</p>
        <ContentBlock {...call} isToolOutput />
        {result !== undefined && (
          <ResultBlocks
            session={session}
            content={result.content}
            blocks={result.blocks}
            isFailed={state === 'failed'}
          />
        )}
        {state === 'none' && <p className={css.absent}>No result recorded</p>}
      </Folded>
    </div>
  )
}

interface ResultBlocksProps {
  readonly session: SessionKey
  readonly content: EntryContent
  /** Indexes of those that are shown. */
  readonly blocks: readonly number[]
  readonly isFailed: boolean
}

/** What a tool gave back. */
export function ResultBlocks({ session, content, blocks, isFailed: failed }: ResultBlocksProps): ReactNode {
  return (
    <>
      <p className={css.caption}>{failed ? <span className={css.failed}>Result: error</span> : 'Result'}</p>
      {blocks.map((index) => {
        const block = content.blocks[index]
        return (
          block !== undefined && (
            <ContentBlock key={index} session={session} entry={content.id} index={index} block={block} isToolOutput />
          )
        )
      })}
      {blocks.length === 0 && <p className={css.caption}>Empty</p>}
    </>
  )
}

/** The first argument of indented JSON on one line, as long as it is short; a text without its name and quotes. */
function firstArgument(text: string): string {
  const line = (text.split('\n', 2)[1] ?? '').trim().replace(/,$/, '')
  const said = /^"[^"]*": (".*")$/.exec(line)?.[1]
  return (said === undefined ? line : String(JSON.parse(said))).replace(/\s+/g, ' ').slice(0, 120)
}
