import type { Stats } from 'node:fs'
import { open } from 'node:fs/promises'
import { readOnly } from './read-only.ts'

/** What of a file's state shows that it may have changed. */
export interface FileState {
  readonly inode: number
  readonly size: number
  /** Milliseconds since 1970, with a fraction where the file system has one. */
  readonly modified: number
  readonly changed: number
}

/** An open file, as little of it as reading needs. */
export interface Bytes extends AsyncDisposable {
  state(): Promise<FileState>
  /** Fills `into` from `position` as far as the file goes; returns the bytes read. */
  read(into: Buffer, position: number): Promise<number>
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
    state: async () => fileState(await handle.stat()),
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
