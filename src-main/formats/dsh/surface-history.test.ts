import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { JsonObject } from '#shared/model/records.ts'
import { readText } from '../testing.ts'
import { historyOf } from './assemble.ts'
import { dsh } from './index.ts'
import { headerOf, logText, prompt, replace, result, turnStart } from './log-testing.ts'
import { foldSurface, type StoredEvent } from './surface.ts'
import { surfaceAt } from './surface-history.ts'

const read = (events: readonly JsonObject[]) =>
  readText(dsh, logText(headerOf(0), events), null, '/dsh/--home-user-project--/made/session.jsonl')

/** Prompts, results and replacements of what stands, chosen by fractions of the surface. */
const step = fc.oneof(
  { weight: 3, arbitrary: fc.constant({ kind: 'append' } as const) },
  fc.record({
    kind: fc.constant('replace' as const),
    from: fc.double({ min: 0, max: 0.999, noNaN: true }),
    length: fc.nat(3)
  }),
  { weight: 1, arbitrary: fc.constant({ kind: 'event' } as const) }
)

test('at every event it is what the fold of the events before makes it', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const events: JsonObject[] = []
      const nodes: number[] = []
      for (const one of steps) {
        const seq = events.length
        if (one.kind === 'event') events.push(turnStart(seq))
        else if (one.kind === 'append' || nodes.length === 0) {
          events.push(prompt(`p${seq}`))
          nodes.push(seq)
        } else {
          const from = Math.floor(one.from * nodes.length)
          const gone = nodes.slice(from, from + 1 + one.length)
          events.push(prompt(`r${seq}`, replace(gone[0]!, gone.at(-1)!, gone)))
          nodes.splice(from, gone.length, seq)
        }
      }
      const { tree } = await read(events)
      const history = historyOf(tree)
      expect(history.broken).toBeNull()
      const stored = events.map((event, seq) => ({ ...event, seq }) as unknown as StoredEvent)
      for (const end of events.keys()) {
        expect(surfaceAt(history, end)).toEqual(foldSurface(stored.slice(0, end + 1)).nodes)
      }
    }),
    { numRuns: 60 }
  )
})

describe('the surface ends where an event breaks its rules', () => {
  test.each<[string, JsonObject, string]>([
    [
      'replaces what does not stand',
      prompt('b', replace(9, 9, [0])),
      'it replaces 9, which is not in the conversation'
    ],
    [
      'does not name what it takes out',
      prompt('b', replace(1, 2, [1])),
      'it shadows 2, which sourceEventSeqs does not name'
    ],
    ['names a range from behind', prompt('b', replace(2, 1, [1, 2])), 'from 2 to 1'],
    ['has a malformed operation', prompt('b', { surfaceOp: { op: 'cut' } }), 'neither "append" nor a replacement'],
    ['is a prompt without an operation', prompt('b', {}), 'has no surfaceOp'],
    ['is of another type and has one', { ...turnStart(2), surfaceOp: 'append' }, 'makes no message'],
    ['is a result in the place of a prompt', result(1, 1, 'c', 'x', replace(1, 1)), 'replaces exactly one tool/result'],
    ['is a result that changes whose it is', result(1, 1, 'd', 'x', replace(3, 3)), 'nothing but the content']
  ])('%s', async (_, event, why) => {
    const session = await read([
      turnStart(1),
      prompt('one'),
      prompt('two'),
      result(1, 1, 'c', 'long'),
      event,
      prompt('after')
    ])
    expect(historyOf(session.tree).broken).toMatchObject({ at: 4, why: expect.stringContaining(why) })
    const found = [...session.lines.flatMap(({ faults }) => faults), ...session.tree.faults]
    expect(found.filter(({ kind }) => kind === 'bad-surface-op')).toMatchObject([
      { message: expect.stringContaining(why) }
    ])
    expect((await dsh.context(session, 5)).messages.map(({ text }) => text)).toEqual(['one', 'two', 'long'])
    expect((await dsh.context(session, 5)).omitted.map(({ entry }) => entry)).toContain('5')
    expect(session.tree.notes?.map(({ text }) => text)).toContain(
      'The conversation ends at event 4, which breaks its rules.'
    )
  })

  test('but not where a result is rewritten with less content', async () => {
    const session = await read([turnStart(1), result(1, 1, 'c', 'long'), result(1, 1, 'c', 'short', replace(1, 1))])
    expect(historyOf(session.tree)).toMatchObject({ broken: null, replaced: new Map([[2, [1]]]) })
    expect((await dsh.context(session, 2)).messages.map(({ text }) => text)).toEqual(['short'])
    expect((await dsh.context(session, 1)).messages.map(({ text }) => text)).toEqual(['long'])
  })
})
