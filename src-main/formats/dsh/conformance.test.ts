import { zstdCompressSync } from 'node:zlib'
import type { JsonObject } from '#shared/model/records.ts'
import { conformance, type Fixture } from '../conformance.ts'
import { dsh } from './index.ts'
import * as log from './log-testing.ts'

/** A turn with a packed row, an attempt, a call, a compaction that another takes in, and a result that is pruned. */
const v0: readonly JsonObject[] = [
  log.turnStart(1),
  log.stepStart(1, 1),
  log.prompt('first'),
  log.requestHeader('You help.'),
  { type: 'reasoning-chunks', data: { turn: 1, step: 1, index: 0, dt: [5, 0], texts: ['let', ' me', ' see'] } },
  log.usageChunk(1, 1, { inputTokens: 3, outputTokens: 1 }),
  log.finish(1, 1, 'error'),
  { type: 'llm/retry', data: { retryId: 'r', turn: 1, step: 1, retry: 1, failure: { message: 'too slow' } } },
  log.usageChunk(1, 1, { inputTokens: 10, outputTokens: 4, cacheReadTokens: 6 }),
  log.finish(1, 1, 'tool-calls'),
  log.answer(1, 1, [log.text('looking'), log.call('c1')], { ...log.append, sourceEventSeqs: [[10, 11]] }),
  log.callEvent(1, 1, 'c1'),
  log.result(1, 1, 'c1', 'a\nb\nc\n', { ...log.append, sourceEventSeqs: [13] }),
  { type: 'compaction/start', data: { compactionId: 'k', turn: 1 } },
  {
    type: 'compaction/summary',
    data: {
      compactionId: 'k',
      summary: [log.text('short')],
      shadowedTokenCount: 9,
      usage: { inputTokens: 2, outputTokens: 1 }
    }
  },
  log.prompt('<compacted-summary>short</compacted-summary>', log.replace(2, 2), { kind: 'plugin', plugin: 'compact' }),
  { type: 'compaction/end', data: { compactionId: 'k', turn: 1 } },
  { type: 'compaction/prune', data: { shadowedSeqs: [14], shadowedTokenCount: 3 } },
  log.result(1, 1, 'c1', '[pruned]', log.replace(14, 14)),
  log.stepEnd(1, 1),
  log.turnEnd(1)
]

const v3: readonly JsonObject[] = [
  log.turnStart(1),
  log.stepStart(1, 1),
  {
    type: 'system/message',
    data: { turn: 1, step: 1, message: { role: 'system', id: 's', content: [log.text('You help.')] } },
    ...log.append
  },
  log.prompt('first'),
  { type: 'assistant/attempt', data: { turn: 1, step: 1, stream: [] } },
  log.answer(1, 1, [log.text('done')], log.append, {
    usage: { inputTokens: 5, outputTokens: 2 },
    stream: [{ type: 'text-chunks', time0: log.begun, index: 0, dt: [1], texts: ['do', 'ne'] }]
  }),
  log.stepEnd(1, 1),
  log.turnEnd(1),
  { type: 'x-plugin/note', data: { note: 'seen' }, ignorable: true }
]

const title = (seq: number): Buffer =>
  Buffer.from(`${JSON.stringify({ type: 'session/title', seq, time: log.begun, data: { title: 'Named' } })}\n`)

function raw(name: string, version: number, events: readonly JsonObject[], next: number): Fixture {
  const file = version === 0 ? 'session.jsonl' : `session.v${version}.jsonl`
  const set = dsh.force(`/dsh/--home-user-project--/made/${file}`, null)
  return { name, set, bytes: [Buffer.from(log.logText(log.headerOf(version), events))], more: title(next) }
}

/** A frame for the header, one for every few lines, the last cut by the file's end. */
function framed(name: string, events: readonly JsonObject[], next: number): Fixture {
  const lines = log.logLines(log.headerOf(0), events)
  const texts = [lines.slice(0, 1), lines.slice(1, 4), lines.slice(4, 11), lines.slice(11)].map((own) => own.join(''))
  const [first = '', second = '', third = '', fourth = ''] = texts
  // A line that goes on in the next frame.
  const split = [first, second + third.slice(0, 30), third.slice(30), fourth]
  return {
    name,
    set: dsh.force('/dsh/--home-user-project--/made/session.jsonl.zstd', null),
    bytes: [Buffer.concat(split.map((own) => zstdCompressSync(own)))],
    more: zstdCompressSync(title(next))
  }
}

conformance(dsh, [
  raw('v0 with packed rows, an attempt, a compaction and a prune', 0, v0, 23),
  raw('v0 whose last turn was left open', 0, v0.slice(0, 12), 14),
  raw('v3 with a system message and streams inside', 3, v3, 9),
  framed('v0 in zstd frames', v0, 23)
])
