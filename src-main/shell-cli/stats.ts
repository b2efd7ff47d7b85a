import { groupings, type Grouping, type UsageGroup, type UsageStats } from '#shared/contract/usage.ts'
import { hitRate, type Usage } from '#shared/model/usage.ts'
import { costText, countText, shareText } from './amounts.ts'
import { defineCommand, type Desk } from './command.ts'
import { isFolder } from './is-folder.ts'
import type { Look } from './look.ts'
import { openFolder } from './open-folder.ts'
import { openSession } from './open-session.ts'
import { plainText } from './plain-text.ts'
import { section } from './session-text.ts'
import { table } from './table.ts'
import { UsageError } from './usage-error.ts'

export const stats = defineCommand({
  name: 'stats',
  operand: 'FILE or FOLDER',
  synopsis: 'stats FILE|FOLDER [--by session|day|model|project|agent]',
  about: 'tokens and cost as recorded, each request counted once',
  options: { by: { type: 'string' } },
  later: ['proof'],
  prepare: ({ by: typed }, operand = '') => {
    const by = groupingOf(typed)
    return async (desk) => {
      const value = await statsOf(desk, operand, by)
      return { value, lines: (look) => statsLines(value, by, look) }
    }
  }
})

function groupingOf(typed: string | undefined): Grouping | null {
  if (typed === undefined) return null
  const by = groupings.find((name) => name === typed)
  if (by === undefined) throw new UsageError(`Nothing is counted by "${typed}". There are: ${groupings.join(', ')}.`)
  return by
}

async function statsOf(desk: Desk, operand: string, by: Grouping | null): Promise<UsageStats> {
  const asked = { by, ...(desk.agent === undefined ? {} : { agent: desk.agent }) }
  if (await isFolder(desk.resolve(operand))) {
    const { client, sessions } = await openFolder(desk, operand)
    return client.call('usage.stats', { ...asked, sessions: sessions.map(({ key }) => key) }, desk.signal)
  }
  const { client, about } = await openSession(desk, operand)
  return client.call('usage.stats', { ...asked, sessions: [about.session] }, desk.signal)
}

const heads = ['requests', 'input', 'cache read', 'cache write', 'output', 'total', 'cost', 'hit rate', 'inherited']
const unknownHead = 'without figures'

function* statsLines({ totals, groups }: UsageStats, by: Grouping | null, look: Look): Generator<string> {
  const cells = cellsOf(totals)
  yield* table(
    [...heads, unknownHead].map((head, at) => [head, cells[at] ?? '']),
    [1]
  )
  if (by === null) return
  const rows = [[...heads, unknownHead, by], ...groups.map((group) => [...cellsOf(group), nameOf(group)])]
  yield* section(`By ${by}`, table(rows, [...heads.keys(), heads.length]), look)
}

const cellsOf = (usage: Usage): string[] => [
  countText(usage.requests),
  countText(usage.input),
  countText(usage.cacheRead),
  countText(usage.cacheWrite),
  countText(usage.output),
  countText(usage.total),
  costText(usage.cost),
  shareText(hitRate(usage)),
  countText(usage.inherited),
  countText(usage.unknown)
]

const nameOf = ({ key, file }: UsageGroup): string => plainText(file ?? key ?? 'unknown')
