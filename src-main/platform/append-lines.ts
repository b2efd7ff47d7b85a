import { closeSync, constants, fstatSync, fsyncSync, openSync, readSync, writeSync } from 'node:fs'
import { Refusal } from '#shared/contract/refusal.ts'

const lineFeed = '\n'

export interface Appended {
  /** Where the new bytes begin. */
  readonly offset: number
  readonly bytes: number
  /** 1 where the file's last line had no line feed and got one first. */
  readonly addedLineFeeds: number
}

/**
 * Appends whole lines to a file of that size: one write at its end, on disk when this returns, read back. Refused as
 * `stale` where the file has another size now, `not-found` where it is gone, `read-only` where it cannot be written.
 */
export function appendLines(path: string, text: string, size: number): Appended {
  const file = openToAppend(path)
  try {
    if (fstatSync(file).size !== size) throw changed(path)
    const addedLineFeeds = lacksLineFeed(file, size) ? 1 : 0
    const bytes = Buffer.from(lineFeed.repeat(addedLineFeeds) + text)
    const written = writeOnce(file, bytes, path)
    fsyncSync(file)
    const found = Buffer.alloc(bytes.length)
    readSync(file, found, 0, found.length, size)
    if (written === bytes.length && found.equals(bytes)) return { offset: size, bytes: bytes.length, addedLineFeeds }
    throw new Refusal(
      'stale',
      `${path} does not end with what was appended: another program wrote to it at the same time, or no space is left. Close the agent, and look at the end of the file.`,
      { file: path }
    )
  } finally {
    closeSync(file)
  }
}

/** Whether a file's last line has no line feed, so that one is appended first. */
export function endsOpen(path: string): boolean {
  const file = openSync(path, constants.O_RDONLY)
  try {
    return lacksLineFeed(file, fstatSync(file).size)
  } finally {
    closeSync(file)
  }
}

function lacksLineFeed(file: number, size: number): boolean {
  const last = Buffer.alloc(1)
  return size > 0 && readSync(file, last, 0, 1, size - 1) === 1 && last.toString() !== lineFeed
}

function openToAppend(path: string): number {
  try {
    return openSync(path, constants.O_RDWR | constants.O_APPEND | (constants.O_NOFOLLOW ?? 0))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
      throw new Refusal('not-found', `${path} is gone. Nothing was written.`, { file: path })
    }
    throw cannotBeWritten(path, error)
  }
}

function writeOnce(file: number, bytes: Buffer, path: string): number {
  try {
    return writeSync(file, bytes)
  } catch (error) {
    throw cannotBeWritten(path, error)
  }
}

const cannotBeWritten = (path: string, error: unknown) =>
  new Refusal('read-only', `${path} cannot be written to (${(error as Error).message}). Nothing was written.`, {
    file: path
  })

const changed = (path: string) =>
  new Refusal('stale', `${path} has changed since it was read. Nothing was written; open it again.`, { file: path })
