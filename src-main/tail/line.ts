import type { ByteRange } from '#shared/model/entry.ts'

/** One complete line, or the unterminated rest of a file. */
export interface Line {
  /** Index of the file in the session's set. */
  readonly file: number
  /** Counts from 1 within the file. */
  readonly number: number
  readonly offset: number
  /** Bytes with the line end. */
  readonly length: number
  /** Bytes of the line end: 0, 1 (LF) or 2 (CR LF). A document has none. */
  readonly end: 0 | 1 | 2
  /** The line's bytes without its end; null where the line cannot be one string (over 512 MB). */
  readonly bytes: Buffer | null
  /** Where the frames that hold the line lie in the file; null where the file's bytes are the stream. */
  readonly frame: ByteRange | null
  /** Of a rest, why the frame behind it cannot be decoded; absent where the file ends there or cuts it. */
  readonly corrupt?: string
}
