import type { Settings } from '#shared/contract/settings.ts'
import type { SessionKey } from '#shared/model/keys.ts'
import type { SessionRow } from '#shared/model/session.ts'
import { agentNames } from '#renderer/text/agents.ts'
import { projectName, projectPathOf, titleOf } from '#renderer/text/sessions.ts'
import { dateGroup } from '#renderer/text/times.ts'

export type LibraryRow =
  | {
      readonly kind: 'group'
      readonly id: string
      readonly name: string
      /** Folder of a project, null for what is no project. */
      readonly path: string | null
      /** True where another project has the same name, so that the path must be shown. */
      readonly isAmbiguous: boolean
      readonly sessions: number
      readonly expanded: boolean
      readonly setSize: number
      readonly position: number
    }
  | {
      readonly kind: 'session'
      readonly id: SessionKey
      readonly session: SessionRow
      /** 2 for a session of its own, one more for each parent that is listed. */
      readonly level: number
      /** Folder of the project, for all that come from one session that one's. */
      readonly project: string
      /** Null where nothing is below it. */
      readonly expanded: boolean | null
      /** What is listed right below it, by how it came to be. */
      readonly below: { readonly forks: number; readonly continuations: number; readonly subagents: number }
      readonly setSize: number
      readonly position: number
    }

export interface Grouping {
  readonly group: Settings['libraryGroup']
  /** The midnight before now, in milliseconds. */
  readonly today: number
}

export interface LibraryChoice extends Grouping {
  readonly filter: string
  readonly sort: Settings['librarySort']
  /** Folder of the one project that is listed; null for all. */
  readonly project: string | null
  /** Ids of rows that are not as at first: groups that are folded, sessions that are unfolded. */
  readonly toggled: ReadonlySet<string>
}

interface GroupDraft {
  readonly id: string
  readonly name: string
  readonly path: string | null
}

type Group = GroupDraft & { readonly roots: SessionRow[]; sessions: number }

/**
 * The library from top to bottom: groups, their sessions, and under each the forks and subagents that name it as their
 * parent, folded at first. While a filter is set nothing is folded, and a session that does not match stays where one below
 * it does. `sessions` come newest first.
 */
export function libraryRows(sessions: readonly SessionRow[], choice: LibraryChoice): readonly LibraryRow[] {
  const { parents, rootOf } = lineageOf(sessions)
  const groupOf = groupsBy(sessions, rootOf, choice)
  const words = choice.filter.toLowerCase().split(/\s+/).filter(Boolean)
  const kept = keptBy(words, sessions, parents)

  const children = new Map<SessionKey, SessionRow[]>()
  const groups = new Map<string, Group>()
  for (const session of sessions) {
    const root = rootOf(session)
    if (!kept.has(session.key) || (choice.project !== null && projectPathOf(root) !== choice.project)) continue
    const parent = parents.get(session.key)
    const draft = groupOf(root)
    const group = groups.get(draft.id) ?? { ...draft, roots: [], sessions: 0 }
    groups.set(group.id, group)
    group.sessions++
    const siblings = parent === undefined ? group.roots : (children.get(parent.key) ?? [])
    siblings.push(session)
    if (parent !== undefined) children.set(parent.key, siblings)
  }
  const listed = [...groups.values()]
  if (choice.sort === 'name') {
    if (choice.group !== 'date') listed.sort(byName)
    for (const siblings of [...children.values(), ...listed.map(({ roots }) => roots)]) siblings.sort(byTitle)
  }

  const named = Map.groupBy(listed, ({ name }) => name)
  const rows: LibraryRow[] = []
  const isFiltered = words.length > 0
  listed.forEach(({ id, name, path, roots, sessions: count }, index) => {
    const isOpen = isFiltered || !choice.toggled.has(id)
    const isAmbiguous = (named.get(name)?.length ?? 0) > 1
    const place = { setSize: listed.length, position: index + 1 }
    rows.push({ kind: 'group', id, name, path, isAmbiguous, sessions: count, expanded: isOpen, ...place })
    if (!isOpen) return
    const waiting = placed(roots, 2)
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const { key } = next.session
      const below = children.get(key)
      const expanded = below === undefined ? null : isFiltered || choice.toggled.has(key)
      const project = projectPathOf(rootOf(next.session))
      rows.push({ kind: 'session', id: key, project, expanded, below: countsOf(below ?? []), ...next })
      if (below !== undefined && expanded === true) waiting.push(...placed(below, next.level + 1))
    }
  })
  return rows
}

/** The group of a session that has no parent; all that come from it are listed with it. */
function groupsBy(
  sessions: readonly SessionRow[],
  rootOf: Lineage['rootOf'],
  { group, today }: Grouping
): (root: SessionRow) => GroupDraft {
  const newest = new Map<SessionKey, string | null>()
  if (group === 'date') {
    for (const session of sessions) {
      const { key } = rootOf(session)
      if (!newest.has(key)) newest.set(key, session.updatedAt)
    }
  }
  return (root) => {
    switch (group) {
      case 'project': {
        const path = projectPathOf(root)
        return { id: `project:${path}`, name: projectName(path), path }
      }
      case 'agent':
        return { id: `agent:${root.agent}`, name: agentNames[root.agent], path: null }
      case 'date': {
        const name = dateGroup(newest.get(root.key) ?? null, today)
        return { id: `date:${name}`, name, path: null }
      }
    }
  }
}

function countsOf(below: readonly SessionRow[]) {
  const subagents = below.filter(({ origin }) => origin === 'subagent').length
  const continuations = below.filter(({ origin }) => origin === 'continuation').length
  return { forks: below.length - subagents - continuations, continuations, subagents }
}

/** The rows below which a session is listed: its group's, and those of the sessions that it comes from. Null where it is not among them. */
export function wayTo(
  sessions: readonly SessionRow[],
  key: SessionKey,
  grouping: Grouping
): { readonly group: string; readonly parents: readonly SessionKey[] } | null {
  const session = sessions.find((one) => one.key === key)
  if (session === undefined) return null
  const { parents, rootOf } = lineageOf(sessions)
  const way: SessionKey[] = []
  for (let up = parents.get(key); up !== undefined; up = parents.get(up.key)) way.push(up.key)
  return { group: groupsBy(sessions, rootOf, grouping)(rootOf(session)).id, parents: way }
}

/** Folder of the project that a session is listed in; null where it is not among them. */
export function projectAmong(sessions: readonly SessionRow[], key: SessionKey): string | null {
  const session = sessions.find((one) => one.key === key)
  return session === undefined ? null : projectPathOf(lineageOf(sessions).rootOf(session))
}

/** Siblings with their places, last first: a stack gives them back in order. */
function placed(siblings: readonly SessionRow[], level: number) {
  return siblings
    .map((session, index) => ({ session, level, setSize: siblings.length, position: index + 1 }))
    .toReversed()
}

interface Lineage {
  /** The listed parent of each session that has one; a ring of parents is cut where it closes. */
  readonly parents: ReadonlyMap<SessionKey, SessionRow>
  readonly rootOf: (session: SessionRow) => SessionRow
}

function lineageOf(sessions: readonly SessionRow[]): Lineage {
  const byFile = new Map(sessions.map((session) => [session.file, session]))
  const byId = new Map(sessions.map((session) => [`${storeOf(session)} ${session.id}`, session]))
  const parents = new Map<SessionKey, SessionRow>()
  // Ways up, shortened as they are walked, so that a long chain costs its length once.
  const ways = new Map<SessionKey, SessionRow>()
  const rootOf = (session: SessionRow): SessionRow => {
    const walked: SessionKey[] = []
    let root = session
    for (let up = ways.get(root.key); up !== undefined; up = ways.get(root.key)) {
      walked.push(root.key)
      root = up
    }
    for (const key of walked) ways.set(key, root)
    return root
  }
  for (const session of sessions) {
    const { file = null, id = null } = session.parent ?? {}
    const parent =
      (file === null ? undefined : byFile.get(file)) ??
      (id === null ? undefined : byId.get(`${storeOf(session)} ${id}`))
    if (parent === undefined || rootOf(parent).key === session.key) continue
    parents.set(session.key, parent)
    ways.set(session.key, parent)
  }
  return { parents, rootOf }
}

/** Ids tell sessions of one store apart, and omp's and pi's are one. */
const storeOf = ({ agent }: SessionRow): string => (agent === 'pi' ? 'omp' : agent)

function keptBy(
  words: readonly string[],
  sessions: readonly SessionRow[],
  parents: ReadonlyMap<SessionKey, SessionRow>
): ReadonlySet<SessionKey> {
  const kept = new Set<SessionKey>()
  for (const session of sessions) {
    if (!matches(words, session)) continue
    for (let up: SessionRow | undefined = session; up !== undefined && !kept.has(up.key); up = parents.get(up.key)) {
      kept.add(up.key)
    }
  }
  return kept
}

function matches(words: readonly string[], session: SessionRow): boolean {
  if (words.length === 0) return true
  const text =
    `${titleOf(session)}\n${session.cwd ?? ''}\n${session.file}\n${session.agent}\n${session.id}`.toLowerCase()
  return words.every((word) => text.includes(word))
}

const byName = (a: Group, b: Group): number =>
  a.name.localeCompare(b.name) || (a.path ?? '').localeCompare(b.path ?? '')
const byTitle = (a: SessionRow, b: SessionRow): number => titleOf(a).localeCompare(titleOf(b))
