import type { AgentId } from '#shared/model/agent.ts'
import type { Outline, OutlineChange } from '#shared/model/entry.ts'
import type { SessionKey } from '#shared/model/keys.ts'
import { changeBehind, keptIn, keptOverBoth } from '#shared/tree/outline-change.ts'

type Kept = OutlineChange['kept']

interface Remembered {
  readonly latest: Outline
  /** What `latest` has of its own revision's outline and of earlier ones, the latest last. */
  readonly earlier: ReadonlyMap<number, Kept>
}

/** A session at a revision, in a dialect; its outline is made where it is not remembered. */
export interface OutlineSource {
  readonly key: SessionKey
  readonly agent: AgentId | null
  readonly revision: number
  outline(before: Outline | undefined): Outline
}

/** As many sessions as are looked at in turn, each as far back as a window may lag behind. */
const mostSessions = 4
const mostRevisions = 100

const nothing: Kept = { entries: 0, roleNames: 0, labels: 0, leaves: 0 }

/** Remembers what was sent of the sessions' outlines, so that nothing is sent twice. */
export class Outlines {
  /** By session and dialect, the latest used last. */
  readonly #remembered = new Map<string, Remembered>()

  /** What is new of a session's outline since the one of a revision; all of it where that one is not remembered. */
  since(session: OutlineSource, revision: number | undefined): OutlineChange {
    const name = `${session.key} ${session.agent ?? ''}`
    const { latest, earlier } = renewed(this.#remembered.get(name), session)
    this.#remembered.delete(name)
    this.#remembered.set(name, { latest, earlier })
    for (const oldest of [...this.#remembered.keys()].slice(0, -mostSessions)) this.#remembered.delete(oldest)
    return changeBehind(latest, (revision === undefined ? undefined : earlier.get(revision)) ?? nothing)
  }
}

function renewed(before: Remembered | undefined, { revision, outline }: OutlineSource): Remembered {
  if (before?.latest.revision === revision) return before
  const latest = outline(before?.latest)
  const kept = before === undefined ? nothing : keptIn(before.latest, latest)
  const earlier = [...(before?.earlier ?? [])].map(([known, part]) => [known, keptOverBoth(part, kept)] as const)
  return { latest, earlier: new Map([...earlier.slice(-mostRevisions), [revision, wholeOf(latest)]]) }
}

const wholeOf = ({ ids, roleNames, labels, leaves }: Outline): Kept => ({
  entries: ids.length,
  roleNames: roleNames.length,
  labels: labels.length,
  leaves: leaves.length
})
