import type { CompactionHead } from '#shared/contract/compaction.ts'
import { type Compaction, type Fate, fates } from '#shared/model/compaction.ts'
import type { Fault } from '#shared/model/fault.ts'
import { countOf, countText, timeText } from './amounts.ts'
import { defineCommand } from './command.ts'
import type { Look } from './look.ts'
import { openSession, type OpenSession } from './open-session.ts'
import { fit, plainText } from './plain-text.ts'
import { faultLines, section } from './session-text.ts'
import { table } from './table.ts'

const fatesAtOnce = 500

export const compactions = defineCommand({
  name: 'compactions',
  operand: 'FILE',
  synopsis: 'compactions FILE [--entry ID]',
  about: 'what each compaction kept, summarised and dropped',
  options: { entry: { type: 'string' } },
  prepare:
    ({ entry }, operand = '') =>
    async (desk) => {
      const opened = await openSession(desk, operand)
      const { client, about } = opened
      const asked = entry === undefined ? about : { ...about, entry }
      const found: Compaction[] = []
      const faults: Fault[] = []
      for (const { entry: at } of await client.call('compaction.list', asked, desk.signal)) {
        const head = await client.call('compaction.get', { ...about, entry: at }, desk.signal)
        faults.push(...head.faults)
        found.push(await whole(opened, head, desk.signal))
      }
      return {
        value: { compactions: found, faults },
        *lines(look) {
          yield* compactionLines(found, look)
          if (faults.length > 0) yield* section(countOf(faults.length, 'fault'), faultLines(faults, look, null), look)
        }
      }
    }
})

/** A compaction with its lists and its whole summary, asked for in parts. */
async function whole({ client, about }: OpenSession, head: CompactionHead, signal: AbortSignal): Promise<Compaction> {
  const { entry, time, trigger, tokensBefore, tokensAfter, recordedBefore, recordedAfter } = head
  const one = { ...about, entry }
  const side = async (name: 'before' | 'after'): Promise<Fate[]> => {
    const all: Fate[] = []
    while (all.length < head[name].messages) {
      const page = { ...one, side: name, from: all.length, count: fatesAtOnce }
      const rows = await client.call('compaction.fates', page, signal)
      for (const { source, role, preview, tokens, fate, sent } of rows) {
        all.push({ source, role, preview, tokens, fate, ...(sent === undefined ? {} : { sent }) })
      }
      if (rows.length === 0) break
    }
    return all
  }
  let { summary } = head
  while (summary !== null && summary.length < head.summaryLength) {
    summary += (await client.call('compaction.summary', { ...one, from: summary.length }, signal)).text
  }
  return {
    entry,
    time,
    trigger,
    summary,
    tokensBefore,
    tokensAfter,
    recordedBefore,
    recordedAfter,
    before: await side('before'),
    after: await side('after')
  }
}

function* compactionLines(all: readonly Compaction[], look: Look): Generator<string> {
  if (all.length === 0) yield 'No compaction.'
  for (const [index, compaction] of all.entries()) {
    const { entry, time, trigger, tokensBefore, tokensAfter, recordedBefore, recordedAfter, before, after } = compaction
    if (index > 0) yield ''
    yield look.paint('bold', `Compaction ${plainText(entry)}`)
    yield* table([
      ['time', timeText(time)],
      ['asked for by', plainText(trigger ?? 'unknown')],
      ['recorded', `${countText(recordedBefore)} to ${countText(recordedAfter)} tokens`],
      ['recomputed', `${countText(tokensBefore)} to ${countText(tokensAfter)} tokens`],
      ['messages', fatesText(before, after)]
    ])
    yield* section(`Before: ${countOf(before.length, 'message')}`, fateLines(before, look), look)
    yield* section(`After: ${countOf(after.length, 'message')}`, fateLines(after, look), look)
  }
}

function fatesText(before: readonly Fate[], after: readonly Fate[]): string {
  const counts = fates.map((fate) => {
    const list = fate === 'added' ? after : before
    return `${list.filter((one) => one.fate === fate).length} ${fate}`
  })
  return counts.filter((count) => !count.startsWith('0 ')).join(', ') || 'none'
}

const colours = {
  kept: 'green',
  summarised: 'magenta',
  dropped: 'red',
  rewritten: 'yellow',
  added: 'cyan'
} as const satisfies Record<Fate['fate'], string>

function* fateLines(list: readonly Fate[], { paint, columns }: Look): Generator<string> {
  const rows = list.map(({ fate, role, tokens, preview, sent }) => [
    fate,
    plainText(role),
    countText(tokens),
    plainText(sent === false ? `(not sent) ${preview}` : preview)
  ])
  let at = 0
  for (const line of table(rows, [2])) {
    const fate = list[at++]?.fate
    const shown = fit(line, columns - 2)
    yield fate === undefined ? shown : paint(colours[fate], shown)
  }
}
