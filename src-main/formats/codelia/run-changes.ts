import type { Setup } from './schema.ts'

/** What is different from one run to the next: what it is called, and how. */
export type Change = readonly [what: string, how: string]

const mostNamed = 5

/** What a run was set up with otherwise than the one before it; what either does not say is not compared. */
export function changesBetween(before: Setup, after: Setup): readonly Change[] {
  const changes: Change[] = []
  const plain = (what: string, old: string | null, now: string | null): void => {
    if (old !== null && now !== null && old !== now) changes.push([what, `${old} → ${now}`])
  }
  plain('model', before.model, after.model)
  plain('reasoning', before.reasoning, after.reasoning)
  plain('folder', before.cwd, after.cwd)
  if (before.system !== null && after.system !== null && before.system.print !== after.system.print) {
    changes.push(['system prompt', `${lengthOf(before.system.length)} → ${lengthOf(after.system.length)}`])
  }
  const tools = toolChanges(before.tools, after.tools)
  if (tools !== '') changes.push(['tools', tools])
  plain('platform', before.platform, after.platform)
  plain('client', before.client, after.client)
  plain('runtime', before.server, after.server)
  if (before.environment !== null && after.environment !== null && before.environment !== after.environment) {
    changes.push(['environment', 'what the runtime says of it is different'])
  }
  return changes
}

const lengthOf = (characters: number): string => `${characters.toLocaleString('en')} characters`

function toolChanges(before: Setup['tools'], after: Setup['tools']): string {
  const old = new Map(before)
  const now = new Map(after)
  const added = [...now.keys()].filter((name) => !old.has(name))
  const gone = [...old.keys()].filter((name) => !now.has(name))
  const changed = [...now].flatMap(([name, print]) => (old.has(name) && old.get(name) !== print ? [name] : []))
  const parts: (readonly [string, readonly string[]])[] = [
    ['added', added],
    ['gone', gone],
    ['defined otherwise', changed]
  ]
  return parts.flatMap(([word, names]) => (names.length === 0 ? [] : [`${word}: ${named(names)}`])).join('; ')
}

function named(names: readonly string[]): string {
  const more = names.length - mostNamed
  return more > 0 ? `${names.slice(0, mostNamed).join(', ')} and ${more} more` : names.join(', ')
}
