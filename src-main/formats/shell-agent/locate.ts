import { lstatSync, type Stats } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { AgentId } from '#shared/model/agent.ts'
import type { Json, SourceFile } from '#shared/model/records.ts'
import type { KnownPlace, Listing, SessionSet } from '../format.ts'
import { asObject, asString } from '../json.ts'
import { parseLine } from './parse-line.ts'
import { conversationName, draftName, eventsName, planName, statsName, summaryName } from './schema.ts'

const roles: readonly (readonly [name: string, role: SourceFile['role']])[] = [
  [conversationName, 'messages'],
  [eventsName, 'events'],
  [summaryName, 'snapshot'],
  [planName, 'snapshot'],
  [draftName, 'snapshot'],
  [statsName, 'snapshot']
]
const fifoName = 'input.fifo'
const lineFeed = 0x0a

type Env = Readonly<Record<string, string | undefined>>

/** Where the agent keeps its projects; `BASH_AGENT_HOME` stands for the person's home. */
export const projectsFolder = (env: Env, home: string): string =>
  join(env['BASH_AGENT_HOME'] || home, '.bash-agent', 'projects')

export function locateShellAgent(env: Env, home: string): readonly KnownPlace[] {
  const paths = new Set([projectsFolder(env, home), projectsFolder({}, home)])
  return [...paths].map((path) => ({ path, label: 'shell agent sessions' }))
}

/** A directory with both logs is a session; they may be empty, and their first lines may not be another program's. */
export function claimShellAgent(listing: Listing): readonly SessionSet[] {
  const names = new Set(listing.files)
  if (!names.has(conversationName) || !names.has(eventsName)) return []
  const isOurs =
    begins(listing.head(conversationName), 'role') !== false && begins(listing.head(eventsName), 'type') !== false
  return isOurs ? [setOf(listing.path, (name) => names.has(name), null)] : []
}

/** A file of a session with what stands beside it; a file of any other name is read as a conversation. */
export function forceShellAgent(path: string, agent: AgentId | null): SessionSet {
  const name = basename(path)
  const folder = dirname(path)
  if (!roles.some(([known]) => known === name)) {
    return { files: [{ path, role: 'messages', framing: 'lines' }], agent }
  }
  return setOf(folder, (other) => other === name || isFile(join(folder, other)), agent)
}

function setOf(folder: string, has: (name: string) => boolean, agent: AgentId | null): SessionSet {
  const found = roles.flatMap(([name, role]): SourceFile[] =>
    has(name) ? [{ path: join(folder, name), role, framing: role === 'snapshot' ? 'document' : 'lines' }] : []
  )
  const [main, ...others] = found
  if (main === undefined) throw new Error(`${folder} has none of a session's files`)
  return { files: [main, ...others], isDirectory: true, agent }
}

/** Whether the first line that can be read has a text as that member; undefined where none can be. */
function begins(head: Buffer | undefined, member: string): boolean | undefined {
  if (head === undefined) return undefined
  for (let from = 0; from < head.length;) {
    const feed = head.indexOf(lineFeed, from)
    const end = feed === -1 ? head.length : feed
    const value = parseLine(head.subarray(from, end))?.value as Json | undefined
    if (value !== undefined) return asString(asObject(value)?.[member]) !== null
    from = end + 1
  }
  return undefined
}

/** Whether the agent is at work: its pipe stands beside the logs. It is looked at, never opened. */
export const isRunningIn = (folder: string): boolean => look(join(folder, fifoName))?.isFIFO() === true

export const isShellAgentRunning = ([main]: readonly SourceFile[]): boolean =>
  main !== undefined && isRunningIn(dirname(main.path))

/** False for a name that no file can have, too. */
export const isFile = (path: string): boolean => look(path)?.isFile() === true

function look(path: string): Stats | undefined {
  try {
    return lstatSync(path)
  } catch {
    return undefined
  }
}
