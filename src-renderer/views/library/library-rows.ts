import type { SessionKey } from '#shared/model/keys.ts'
import type { SessionRow } from '#shared/model/session.ts'
import { projectOf, projectPathOf, titleOf } from '#renderer/text/sessions.ts'

export type LibraryRow =
  | {
      readonly kind: 'project'
      readonly id: string
      readonly name: string
      readonly path: string
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
      readonly project: string
      /** Null where nothing is below it. */
      readonly expanded: boolean | null
      /** What is listed right below it, by how it came to be. */
      readonly below: { readonly forks: number; readonly continuations: number; readonly subagents: number }
      readonly setSize: number
      readonly position: number
    }

export interface LibraryChoice {
  readonly filter: string
  readonly sort: 'date' | 'name'
  /** Ids of rows that are not as at first: projects that are folded, sessions that are unfolded. */
  readonly toggled: ReadonlySet<string>
}

interface Project {
  readonly path: string
  readonly name: string
  readonly roots: SessionRow[]
  sessions: number
}

/**
 * The library from top to bottom: projects, their sessions, and under each the forks and subagents that name it as their
 * parent, folded at first. While a filter is set nothing is folded, and a session that does not match stays where one below it does.
 */
export function libraryRows(sessions: readonly SessionRow[], choice: LibraryChoice): readonly LibraryRow[] {
  const { parents, rootOf } = lineageOf(sessions)
  const words = choice.filter.toLowerCase().split(/\s+/).filter(Boolean)
  const kept = keptBy(words, sessions, parents)
  const ordered = choice.sort === 'date' ? sessions : sessions.toSorted(byTitle)

  const children = new Map<SessionKey, SessionRow[]>()
  const projects = new Map<string, Project>()
  for (const session of ordered) {
    if (!kept.has(session.key)) continue
    const parent = parents.get(session.key)
    const project = projectFor(projects, rootOf(session))
    project.sessions++
    const siblings = parent === undefined ? project.roots : (children.get(parent.key) ?? [])
    siblings.push(session)
    if (parent !== undefined) children.set(parent.key, siblings)
  }
  const listed = [...projects.values()]
  if (choice.sort === 'name') listed.sort((a, b) => a.name.localeCompare(b.name) || a.path.localeCompare(b.path))

  const named = new Map<string, number>()
  for (const { name } of listed) named.set(name, (named.get(name) ?? 0) + 1)
  const rows: LibraryRow[] = []
  const isFiltered = words.length > 0
  listed.forEach((project, index) => {
    const id = projectId(project.path)
    const isOpen = isFiltered || !choice.toggled.has(id)
    rows.push({
      kind: 'project',
      id,
      name: project.name,
      path: project.path,
      isAmbiguous: (named.get(project.name) ?? 0) > 1,
      sessions: project.sessions,
      expanded: isOpen,
      setSize: listed.length,
      position: index + 1
    })
    if (!isOpen) return
    const waiting = placed(project.roots, 2)
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const below = children.get(next.session.key)
      const expanded = below === undefined ? null : isFiltered || choice.toggled.has(next.session.key)
      rows.push({ kind: 'session', id: next.session.key, project: id, expanded, below: countsOf(below ?? []), ...next })
      if (below !== undefined && expanded === true) waiting.push(...placed(below, next.level + 1))
    }
  })
  return rows
}

const projectId = (path: string): string => `project:${path}`

function countsOf(below: readonly SessionRow[]) {
  const subagents = below.filter(({ origin }) => origin === 'subagent').length
  const continuations = below.filter(({ origin }) => origin === 'continuation').length
  return { forks: below.length - subagents - continuations, continuations, subagents }
}

/** The rows below which a session is listed: its project's, and those of the sessions that it comes from. Null where it is not among them. */
export function wayTo(
  sessions: readonly SessionRow[],
  key: SessionKey
): { readonly project: string; readonly parents: readonly SessionKey[] } | null {
  const session = sessions.find((one) => one.key === key)
  if (session === undefined) return null
  const { parents, rootOf } = lineageOf(sessions)
  const way: SessionKey[] = []
  for (let up = parents.get(key); up !== undefined; up = parents.get(up.key)) way.push(up.key)
  return { project: projectId(projectPathOf(rootOf(session))), parents: way }
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
  const byId = new Map(sessions.map((session) => [session.id, session]))
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
    const parent = (file === null ? undefined : byFile.get(file)) ?? (id === null ? undefined : byId.get(id))
    if (parent === undefined || rootOf(parent).key === session.key) continue
    parents.set(session.key, parent)
    ways.set(session.key, parent)
  }
  return { parents, rootOf }
}

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

function projectFor(projects: Map<string, Project>, root: SessionRow): Project {
  const path = projectPathOf(root)
  const found = projects.get(path)
  if (found !== undefined) return found
  const project = { path, name: projectOf(root), roots: [], sessions: 0 }
  projects.set(path, project)
  return project
}

const byTitle = (a: SessionRow, b: SessionRow): number => titleOf(a).localeCompare(titleOf(b))
