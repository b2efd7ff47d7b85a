import type { DetailBlock } from '#shared/contract/entry.ts'
import type { EntryContent } from '#shared/contract/transcript.ts'
import type { EntryRow } from '#shared/model/entry.ts'

/** An entry that belongs to a message, as far as it has arrived. */
export interface Part {
  readonly row: EntryRow | undefined
  readonly content: EntryContent | undefined
}

/** A call that is made in an entry. */
export interface CallPlace {
  readonly entry: string
  readonly index: number
  readonly block: DetailBlock
}

/** What an entry says of one call's result. */
export interface ToolResult {
  readonly row: EntryRow | undefined
  readonly content: EntryContent
  /** Indexes of its blocks. */
  readonly blocks: readonly number[]
  /** False where the entry has results of other calls, too. */
  readonly isAlone: boolean
}

export interface ToolCalls {
  /** Calls that only the parts tell of. */
  readonly others: readonly CallPlace[]
  /** By the id of the call. */
  readonly results: ReadonlyMap<string, ToolResult>
  /** Results of which no call is known. */
  readonly unasked: readonly ToolResult[]
}

/** Pairs the calls of a message and of its parts with the results among them, each call told once. */
export function toolCalls(content: EntryContent, parts: readonly Part[]): ToolCalls {
  const calls = new Set(content.blocks.filter(isCall).map(({ callId }) => callId ?? ''))
  const others: CallPlace[] = []
  const found: (readonly [call: string, result: ToolResult])[] = []
  for (const { row, content: own } of parts) {
    if (own === undefined) continue
    if (!own.blocks.some(isCall)) {
      const byCall = [...blocksByCall(own)]
      for (const [call, blocks] of byCall) {
        found.push([call, { row, content: own, blocks, isAlone: byCall.length === 1 }])
      }
    }
    for (const [index, block] of own.blocks.entries()) {
      if (!isCall(block) || (block.callId !== null && calls.has(block.callId))) continue
      if (block.callId !== null) calls.add(block.callId)
      others.push({ entry: own.id, index, block })
    }
  }
  const results = new Map<string, ToolResult>()
  const unasked: ToolResult[] = []
  for (const [call, result] of found) {
    if (calls.has(call) && !results.has(call)) results.set(call, result)
    else unasked.push(result)
  }
  return { others, results, unasked }
}

/** Whether a tool failed: by its result's own word, else by its entry's. */
export function isFailed({ row, content, blocks, isAlone }: ToolResult): boolean {
  return blocks.some((index) => content.blocks[index]?.isError === true) || (isAlone && row?.failed === true)
}

const isCall = ({ type }: DetailBlock): boolean => type === 'tool-call'

/** A block that names no call belongs to the one before it; a result without any says its call in its facts, or not at all. */
function blocksByCall({ blocks, facts }: EntryContent): ReadonlyMap<string, readonly number[]> {
  const named = blocks.find(({ callId }) => callId !== null)?.callId
  let call = named ?? facts.find(([name]) => name === 'Call')?.[1] ?? ''
  const byCall = new Map<string, number[]>()
  for (const [index, block] of blocks.entries()) {
    call = block.callId ?? call
    const own = byCall.get(call) ?? []
    own.push(index)
    byCall.set(call, own)
  }
  return byCall.size === 0 ? new Map([[call, []]]) : byCall
}
