import { cut } from '#main/formats/cut.ts'
import { lengthOf } from '#main/platform/byte-pieces.ts'
import { sha256OfFile } from '#main/platform/sha256-of-file.ts'
import { requireUnchanged } from '#main/platform/require-unchanged.ts'
import type { BranchPreview } from '#shared/contract/branch.ts'
import type { Block, Context, Message } from '#shared/model/message.ts'
import { branchResult } from './branch-result.ts'
import { plannedCopies } from './copy-folder.ts'
import { firstLines } from './first-lines.ts'
import { fileChunks, lineChunks, type PlannedBranch, sourcesOf } from './plan-branch.ts'

const firstShown = 4
const lastShown = 8
const previewLength = 200

/** What writing the branch would give; writes nothing. */
export async function previewBranch(
  branch: PlannedBranch,
  { messages }: Context,
  ownText: string | null,
  signal?: AbortSignal
): Promise<BranchPreview> {
  const { files, folder } = branch.plan
  const [main, ...others] = files
  await requireUnchanged(sourcesOf(branch))
  const sha256 = await sha256OfFile(branch.view.records.files[0].path, signal)
  const { lines, lineCount, bytes: length } = await firstLines(lineChunks(main, branch, signal))
  const bytes = main.framing === undefined ? length : await sizeOf(fileChunks(main, branch, signal))
  const beside = [
    ...others.map(({ path, pieces }) => ({ path, bytes: lengthOf(pieces) })),
    ...(folder === undefined ? [] : await plannedCopies(folder))
  ]
  const result = branchResult(branch, bytes, beside, [sha256, sha256])
  return { result, ...shownMessages(messages), lines: [...lines], lineCount, ownText }
}

async function sizeOf(chunks: AsyncIterable<Buffer>): Promise<number> {
  let size = 0
  for await (const chunk of chunks) size += chunk.length
  return size
}

/** The first and last messages of a context, with how many there are. */
export function shownMessages(messages: readonly Message[]): Pick<BranchPreview, 'messages' | 'messageCount'> {
  const shown =
    messages.length <= firstShown + lastShown
      ? messages
      : [...messages.slice(0, firstShown), ...messages.slice(-lastShown)]
  return {
    messages: shown.map((message) => ({ role: message.role, preview: previewOf(message), tokens: message.tokens })),
    messageCount: messages.length
  }
}

const previewOf = ({ text, blocks }: Message): string =>
  cut(text.trim() || blocks.map(blockWord).join(' '), previewLength)

function blockWord(block: Block): string {
  switch (block.type) {
    case 'text':
    case 'thinking':
    case 'tool-result':
      return block.text
    case 'tool-call':
    case 'other':
      return block.name
    case 'image':
      return block.mimeType
  }
}
