import type { DetailBlock } from '#shared/contract/entry.ts'
import type { SessionKey } from '#shared/model/keys.ts'

/** A block, and where the whole of it is. */
export interface BlockPlace {
  readonly session: SessionKey
  readonly entry: string
  /** Position among the entry's blocks. */
  readonly index: number
  readonly block: DetailBlock
}
