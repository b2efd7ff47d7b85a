import { createHash } from 'node:crypto'
import { type Bytes, type FileState, openBytes } from '#main/platform/bytes.ts'
import type { Line } from './line.ts'
import { type Position, splitLines } from './split-lines.ts'

/** How far a file was read, and how to tell whether what was read still stands. */
export interface Checkpoint extends FileState, Position {
  /** Hash of the first and the last bytes before `offset`. */
  readonly print: string
  /**
   * False where the file had been modified so shortly before it was read that another change might bear the same time:
   * then an equal time proves nothing.
   */
  readonly settled: boolean
}

/** Complete lines in order, with the checkpoint behind them; an unterminated rest is the last line, before no checkpoint. */
export interface Batch {
  /** True on the first batch where nothing that was read before stands any more. */
  readonly restarted: boolean
  readonly lines: readonly Line[]
  readonly checkpoint: Checkpoint
}

const printed = 4096
const settleMs = 100

/** Whether a file is as it was read, by one look at its state. */
export function isUnchanged(now: FileState, then: Checkpoint): boolean {
  return (
    then.settled &&
    now.inode === then.inode &&
    now.size === then.size &&
    now.modified === then.modified &&
    now.changed === then.changed
  )
}

/**
 * What a file has more than at the checkpoint, or all of it where it was replaced, truncated or rewritten in place;
 * nothing at all where it is unchanged. Reads as far as the file goes when it is opened. Rejects with the system's error.
 */
export async function* tail(
  path: string,
  file: number,
  from: Checkpoint | null,
  signal?: AbortSignal
): AsyncGenerator<Batch, void, undefined> {
  await using bytes = await openBytes(path)
  yield* tailBytes(bytes, file, from, signal)
}

export async function* tailBytes(
  bytes: Bytes,
  file: number,
  from: Checkpoint | null,
  signal?: AbortSignal
): AsyncGenerator<Batch, void, undefined> {
  if (from !== null && isUnchanged(await bytes.state(), from)) return
  const stands = from !== null && (await stillStands(bytes, from))
  // Looked at again, as an append may show its new time before its new size.
  const state = await bytes.state()
  const isOldSize = from !== null && state.size === from.size
  if (stands && isOldSize && state.modified === from.modified) return

  const goesOn = stands && !isOldSize && state.size >= from.offset
  const start: Position = goesOn ? from : { offset: 0, line: 0 }
  const settled = Date.now() - state.modified > settleMs
  const checkpointAt = async ({ offset, line }: Position, size: number): Promise<Checkpoint> => {
    return { ...state, size, offset, line, print: await printOf(bytes, offset), settled }
  }
  let restarted = !goesOn
  let delivered = false
  for await (const { lines, position } of splitLines(bytes, start, state.size, file, signal)) {
    // The size is what was read so far, so that a file that was read in part never looks unchanged.
    const size = lines.at(-1)?.end === 0 ? state.size : position.offset
    yield { restarted, lines, checkpoint: await checkpointAt(position, size) }
    restarted = false
    delivered = true
  }
  if (!delivered) yield { restarted, lines: [], checkpoint: await checkpointAt(start, state.size) }
}

async function stillStands(bytes: Bytes, from: Checkpoint): Promise<boolean> {
  const { inode, size } = await bytes.state()
  return inode === from.inode && size >= from.offset && (await printOf(bytes, from.offset)) === from.print
}

async function printOf(bytes: Bytes, offset: number): Promise<string> {
  const hash = createHash('sha256')
  for (const start of [0, Math.max(0, offset - printed)]) {
    const part = Buffer.allocUnsafe(Math.min(printed, offset - start))
    hash.update(part.subarray(0, await bytes.read(part, start)))
  }
  return hash.digest('hex').slice(0, 32)
}
