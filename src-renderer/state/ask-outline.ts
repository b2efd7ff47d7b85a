import type { Outline } from '#shared/model/entry.ts'
import type { SessionKey } from '#shared/model/keys.ts'
import { changedOutline } from '#shared/tree/outline-change.ts'
import type { EngineClient } from './client.ts'
import { prepareOutline } from './outline-path.ts'

interface AskedWith {
  readonly held: Outline | undefined
  /** The leaf that the person chose. */
  readonly leaf: string | null
  /** Told of the outline before it is made ready. */
  readonly onArrival: (outline: Outline) => void
}

/** A session's outline as it is now, ready to be drawn; where an earlier one is held, only what is new is fetched. */
export async function askOutline(
  client: EngineClient,
  session: SessionKey,
  { held, leaf, onArrival }: AskedWith,
  signal: AbortSignal
): Promise<Outline> {
  const change = await client.call('session.outline', { session, ...(held && { since: held.revision }) }, signal)
  const outline = changedOutline(held, change)
  onArrival(outline)
  const goesOn = held !== undefined && change.kept.entries === held.ids.length
  await prepareOutline(outline, goesOn ? held : null, leaf)
  return outline
}
