import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { BranchResult } from '#shared/contract/branch.ts'
import { ExportResult } from '#shared/contract/export.ts'
import { refusalCodes } from '#shared/contract/refusal.ts'
import { ReplayEvent } from '#shared/contract/replay.ts'
import { ByteLedger } from '#shared/contract/session.ts'
import { agentIds } from '#shared/model/agent.ts'
import { Compaction, Fate, fates } from '#shared/model/compaction.ts'
import { DefaultLeaf, Entry, entryKinds, Leaf } from '#shared/model/entry.ts'
import { Fault, faultSeverity } from '#shared/model/fault.ts'
import { Block, Context, Message, messageKinds } from '#shared/model/message.ts'
import { Session } from '#shared/model/session.ts'
import { Usage } from '#shared/model/usage.ts'
import { commands } from './commands.ts'
import { exitCodes } from './failure.ts'

const page = readFileSync(resolve(import.meta.dirname, '../../docs/command-line.md'), 'utf8')
const sections = new Map(page.split(/^## /m).map((part) => [part.split('\n', 1)[0], part] as const))
/** Words of a section that stand in code, members of JSON shapes included. */
const words = (section: string): ReadonlySet<string> => {
  const code = (sections.get(section) ?? '').matchAll(/`([^`]+)`/g)
  return new Set([...code].flatMap(([, text]) => (text ?? '').split(/[^\w-]+/)))
}
const missing = (section: string, names: readonly string[]) => names.filter((name) => !words(section).has(name))

test('the page about the command line has every command as it is called', () => {
  const called = commands.map(({ synopsis }) => synopsis.replaceAll('|', '\\|'))
  expect(called.filter((synopsis) => !page.includes(`| \`${synopsis}\` |`))).toEqual([])
})

test.each([
  ['Session', Session],
  ['Entry', Entry],
  ['Usage', Usage],
  ['Context', Context],
  ['Context', Message],
  ['Compaction', Compaction],
  ['Compaction', Fate],
  ['Written', BranchResult],
  ['Exported', ExportResult],
  ['Fault', Fault],
  ['Commands', Leaf],
  ['Commands', DefaultLeaf],
  ['Commands', ReplayEvent],
  ['Commands', ByteLedger]
] as const)('its section %s has every member', (section, { entries }) => {
  expect(missing(section, Object.keys(entries))).toEqual([])
})

test('it has every word that a member may have', () => {
  expect(missing('Entry', entryKinds)).toEqual([])
  expect(missing('Context', messageKinds)).toEqual([])
  expect(
    missing(
      'Context',
      Block.options.flatMap(({ entries }) => [...Object.keys(entries), entries.type.literal])
    )
  ).toEqual([])
  expect(missing('Compaction', fates)).toEqual([])
  const told = [...(sections.get('Fault') ?? '').matchAll(/^\| `(\w+)` \| (.*) \|$/gm)].flatMap(([, severity, kinds]) =>
    [...(kinds ?? '').matchAll(/`([\w-]+)`/g)].map(([, kind]) => [kind, severity])
  )
  expect(Object.fromEntries(told)).toEqual(faultSeverity)
  expect(refusalCodes.filter((code) => !page.includes(`\`${code}\``))).toEqual([])
  expect(Object.values(exitCodes).filter((code) => !page.includes(`\n| ${code} | `))).toEqual([])
})

test('it names the agents that can be read', () => {
  expect(missing('Options of all commands', ['omp', 'pi', 'codelia', 'dsh', 'shell-agent'])).toEqual([])
  expect(agentIds).toEqual(expect.arrayContaining(['omp', 'pi', 'codelia', 'dsh', 'shell-agent']))
})
