import { basename, extname } from 'node:path'
import type { Format, SessionView } from '#main/formats/format.ts'
import { projectPath } from '#shared/model/project-path.ts'
import type { Grouping, UsageGroup, UsageStats } from '#shared/contract/usage.ts'
import { countedUsage, sumUsage, type Usage } from '#shared/model/usage.ts'
import { meteredRequests, type Metered } from './session-requests.ts'

interface Counted {
  readonly usage: Usage
  readonly time: number | null
  readonly model: string | null
}

interface CountedSession {
  readonly file: string
  readonly session: SessionView['tree']['session']
  readonly requests: readonly Counted[]
}

/**
 * Adds up what sessions spent, each request once: one that another file has too, by its entry's id, time (or log) and
 * figures, belongs to the older session, and what a sub-agent's file repeats of its parent's figures to the parent. What is not
 * counted stands as inherited. Sessions are given oldest first.
 */
export class UsageTally {
  readonly #seen = new Map<string, string>()
  readonly #reported = new Map<string, ReadonlySet<string> | 'all'>()
  readonly #sessions: CountedSession[] = []

  /** Notes which sub-agents' files a session's figures repeat; to be done for all sessions before the first `add`. */
  note(format: Format, view: SessionView): void {
    const named = meteredRequests(format, view).flatMap(({ subagents }) => (subagents === null ? [] : [subagents]))
    if (named.length === 0) return
    const isAll = named.includes('all')
    this.#reported.set(fileOf(view), isAll ? 'all' : new Set(named.flatMap((names) => (names === 'all' ? [] : names))))
  }

  /** `parent` is the main file of the session that it comes from. */
  add(format: Format, view: SessionView, parent: string | null): void {
    const file = fileOf(view)
    const isRepeated = this.#isReported(view, file, parent)
    this.#sessions.push({
      file,
      session: view.tree.session,
      requests: meteredRequests(format, view).map((request) => {
        const { time = null, model = null } = view.records.entries[request.at] ?? {}
        const isInherited = request.inherited || isRepeated || this.#isKnown(view, request, time, file)
        return { usage: countedUsage(request.usage, isInherited, request.kind === 'auxiliary'), time, model }
      })
    })
  }

  stats(by: Grouping | null): UsageStats {
    const totals = sumUsage(this.#sessions.flatMap(({ requests }) => requests.map(({ usage }) => usage)))
    return { totals, groups: by === null ? [] : this.#groups(by) }
  }

  #isReported({ tree: { session } }: SessionView, file: string, parent: string | null): boolean {
    if (session.origin !== 'subagent') return false
    const named = this.#reported.get(parent ?? '')
    return named === 'all' || named?.has(session.id) === true || named?.has(basename(file, extname(file))) === true
  }

  /** Two lines of one file are two requests, however alike. */
  #isKnown({ tree }: SessionView, { at, usage, log }: Metered, time: number | null, file: string): boolean {
    const when = time ?? log
    if (when === undefined) return false
    const name = JSON.stringify([tree.nodes[at]?.id, when, usage])
    const owner = this.#seen.get(name)
    if (owner === undefined) this.#seen.set(name, file)
    return owner !== undefined && owner !== file
  }

  #groups(by: Grouping): UsageGroup[] {
    if (by === 'session') {
      return this.#sessions.map(({ file, session, requests }) => ({
        key: session.id,
        file,
        ...sumUsage(requests.map(({ usage }) => usage))
      }))
    }
    const members = new Map<string | null, Usage[]>()
    const put = (key: string | null, usages: readonly Usage[]): void => {
      const group = members.get(key) ?? []
      for (const usage of usages) group.push(usage)
      members.set(key, group)
    }
    for (const { session, requests } of this.#sessions) {
      if (by === 'project' || by === 'agent') {
        put(
          by === 'agent' ? session.agent : session.cwd && projectPath(session.cwd),
          requests.map(({ usage }) => usage)
        )
      } else for (const { usage, time, model } of requests) put(by === 'model' ? model : dayOf(time), [usage])
    }
    const groups = [...members].map(([key, usages]) => ({ key, ...sumUsage(usages) }))
    return groups.toSorted(by === 'day' ? byKey : byTotal)
  }
}

const fileOf = ({ records }: SessionView): string => records.files[0].path

/** The day of a time in the time zone of this machine, YYYY-MM-DD. */
function dayOf(time: number | null): string | null {
  const date = new Date(time ?? Number.NaN)
  if (Number.isNaN(date.valueOf())) return null
  const two = (part: number): string => String(part).padStart(2, '0')
  return `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

const byKey = (one: UsageGroup, other: UsageGroup): number => compare(one.key ?? '', other.key ?? '')

const byTotal = (one: UsageGroup, other: UsageGroup): number =>
  (other.total ?? -1) - (one.total ?? -1) || byKey(one, other)

const compare = (one: string, other: string): number => (one < other ? -1 : Number(one > other))
