import type { Stats } from 'node:fs'
import { open } from 'node:fs/promises'
import type { ByteRange } from '#shared/model/entry.ts'
import { readOnly } from './read-only.ts'

/** What of a file's state shows that it may have changed. */
export interface FileState {
  readonly inode: number
  /** Bytes on disk. */
  readonly size: number
  /** Milliseconds since 1970, with a fraction where the file system has one. */
  readonly modified: number
  readonly changed: number
}

export interface StreamState extends FileState {
  /** Bytes of the stream: the file's size, or what its complete frames hold. */
  readonly length: number
}

/** An open file as a stream of bytes, as little of it as reading needs. Offsets are in the stream. */
export interface Bytes extends AsyncDisposable {
  readonly path: string
  state(): Promise<StreamState>
  /** Fills `into` from `position` as far as the stream goes; returns the bytes read. */
  read(into: Buffer, position: number): Promise<number>
  /**
   * Where in the file the frames lie that hold a range, as of the last `state`; behind the last complete one for an
   * empty range at the stream's end. Absent where the stream is the file.
   */
  readonly frame?: (range: ByteRange) => ByteRange
  /** As of the last `state`, why the frame behind the last one of the stream cannot be decoded; null where the file ends there or cuts it. */
  readonly corrupt?: () => string | null
}

export function fileState({ ino, size, mtimeMs, ctimeMs }: Stats): FileState {
  return { inode: ino, size, modified: mtimeMs, changed: ctimeMs }
}

/** Rejects with the system's error, or where the path is no regular file. */
export async function openBytes(path: string): Promise<Bytes> {
  const handle = await open(path, readOnly)
  try {
    if (!(await handle.stat()).isFile()) throw new Error(`${path} is not a file`)
  } catch (error) {
    await handle.close()
    throw error
  }
  return {
    path,
    async state() {
      const state = fileState(await handle.stat())
      return { ...state, length: state.size }
    },
    async read(into, position) {
      let done = 0
      while (done < into.length) {
        const { bytesRead } = await handle.read(into, done, into.length - done, position + done)
        if (bytesRead === 0) break
        done += bytesRead
      }
      return done
    },
    [Symbol.asyncDispose]: () => handle.close()
  }
}
