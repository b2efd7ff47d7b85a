import type { Note } from '#shared/model/entry.ts'
import type { SessionRecords } from '#shared/model/records.ts'
import { draftName, planName, summaryName } from './schema.ts'
import { titleLine } from './stats.ts'
import { lastContextTokens, saysAnything, stateOf, statsDrift, statsOf, statsUsage, totalUsage } from './totals.ts'

/** 90 % of what the agent takes for the model's window where nobody says otherwise; neither is stored. */
const assumedThreshold = 180_000

const documents = [
  [planName, 'the locked plan', 'in the prompt'],
  [draftName, 'a draft of a plan', 'not in the prompt until it is locked'],
  [summaryName, 'the summary of what was compacted', 'in the prompt']
] as const

/** What the agent knows of its session beside the logs (docs/formats/shell-agent.md, "Stats"). */
export function sessionNotes(records: SessionRecords): readonly Note[] {
  return [...driftNote(records), ...sourceNote(records), ...statsNote(records), ...documentsNote(records)]
}

const note = (text: string, detail: string | null = null, tone: Note['tone'] = 'info'): Note[] => [
  { tone, text, detail }
]

function driftNote(records: SessionRecords): Note[] {
  const drift = statsDrift(records)
  if (drift.length === 0) return []
  const text = 'The counters in stats.json are not the sums of the usage events.'
  return note(text, drift.map(({ message }) => message).join('\n'), 'warning')
}

function sourceNote(records: SessionRecords): Note[] {
  if (statsUsage(records) === null) return []
  return note('This log has no usage events, as older versions wrote it: the totals are those of stats.json.')
}

function statsNote(records: SessionRecords): Note[] {
  const stats = statsOf(records)
  const tokens = lastContextTokens(records)
  const { input, cacheRead } = totalUsage(records)
  const prompt = (input ?? 0) + (cacheRead ?? 0)
  const parts = [
    ...(tokens === null ? [] : [`Context ${grouped.format(tokens)} tokens, ${distance(tokens)}`]),
    ...(prompt === 0 || cacheRead === null
      ? []
      : [`cache hit ${Math.round((cacheRead / prompt) * 100)} % as the agent counts it, without cache writes`])
  ]
  const title = saysAnything(stats)
    ? `Title of the agent's terminal, which adds its model: ${titleLine(stats, '(model)', true)}`
    : null
  if (parts.length === 0) return title === null ? [] : note(title)
  return note(`${parts.join(' · ')}.`, title)
}

function distance(tokens: number): string {
  const left = assumedThreshold - tokens
  const threshold = `the threshold for a compaction, assumed at ${grouped.format(assumedThreshold)}`
  return left < 0 ? `${grouped.format(-left)} over ${threshold}` : `${grouped.format(left)} below ${threshold}`
}

function documentsNote(records: SessionRecords): Note[] {
  const found = documents.filter(([name]) => stateOf(records, name).document?.isBlank === false)
  if (found.length === 0) return []
  return note(`${found.map(([name, what, where]) => `${name}: ${what}, ${where}`).join(' · ')}.`)
}

const grouped = new Intl.NumberFormat('en-US')
