import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Json } from '#shared/model/records.ts'
import { deriveEventMessage, deriveMessages } from './derive-messages.ts'
import {
  fixedPart,
  foldSurface,
  isSurfaceEligibleType,
  sourcesOf,
  type StoredEvent,
  Surface,
  surfaceStepOf
} from './surface.ts'

type Draft = Omit<StoredEvent, 'seq'>

const log = (...drafts: readonly Draft[]): readonly StoredEvent[] => drafts.map((draft, seq) => ({ seq, ...draft }))
const user = (text: string): Draft => ({
  type: 'user/message',
  data: { id: `m-${text}`, role: 'user', content: [{ type: 'text', text }], source: { kind: 'user' } },
  surfaceOp: 'append'
})
const answer = (...content: readonly Json[]): Draft => ({
  type: 'assistant/message',
  data: { turn: 1, step: 1, message: { id: 'a', role: 'assistant', content, source: { kind: 'model' } } },
  surfaceOp: 'append'
})
const result = (text: string, more: { readonly [name: string]: Json } = {}): Draft => ({
  type: 'tool/result',
  data: {
    turn: 1,
    step: 1,
    message: {
      id: 'r',
      role: 'user',
      source: { kind: 'tool', callId: 'c' },
      content: [{ type: 'tool-result', toolCallId: 'c', content: [{ type: 'text', text }] }]
    },
    ...more
  },
  surfaceOp: 'append'
})
const turn: Draft = { type: 'turn/start', data: { turn: 1 } }
const replacing = (draft: Draft, start: number, end: number, sources: Json): Draft => ({
  ...draft,
  surfaceOp: { op: 'replace', start, end },
  sourceEventSeqs: sources
})
const texts = (events: readonly StoredEvent[], version = 0) =>
  deriveMessages(events, version).map(({ content }) => JSON.stringify(content))

describe('the conversation', () => {
  test('is the appended messages in order; other events have no part in it', () => {
    const events = log(turn, user('a'), turn, answer({ type: 'text', text: 'b' }), result('c'))
    expect(foldSurface(events)).toEqual({ nodes: [1, 3, 4], replacements: [] })
    expect(texts(events)).toEqual([
      '[{"type":"text","text":"a"}]',
      '[{"type":"text","text":"b"}]',
      '[{"type":"tool-result","toolCallId":"c","content":[{"type":"text","text":"c"}]}]'
    ])
  })

  test('has a replacement in the place of what it shadows', () => {
    const events = log(user('a'), user('b'), user('c'), user('d'), replacing(user('x'), 1, 2, [1, 2]))
    expect(foldSurface(events)).toEqual({
      nodes: [0, 4, 3],
      replacements: [{ seq: 4, start: 1, end: 2, shadowedSeqs: [1, 2] }]
    })
  })

  test('is ordered by place, not by number: a later replacement may begin at a younger event', () => {
    const first = log(user('a'), user('b'), user('c'), replacing(user('x'), 0, 1, [0, 1]))
    const events = [...first, { seq: 4, ...replacing(user('y'), 3, 2, [2, 3]) }]
    expect(foldSurface(events)).toEqual({
      nodes: [4],
      replacements: [
        { seq: 3, start: 0, end: 1, shadowedSeqs: [0, 1] },
        { seq: 4, start: 3, end: 2, shadowedSeqs: [3, 2] }
      ]
    })
  })

  test('is that of a plain list in which ranges are replaced', () => {
    const steps = fc.array(fc.option(fc.tuple(fc.nat(30), fc.nat(5)), { freq: 3 }), { maxLength: 40 })
    fc.assert(
      fc.property(steps, (drawn) => {
        const surface = new Surface()
        const list: number[] = []
        let replaced = 0
        drawn.forEach((range, seq) => {
          const from = range === null ? -1 : range[0] % Math.max(1, list.length)
          const shadowed = range === null || list.length === 0 ? [] : list.slice(from, from + 1 + range[1])
          const [start, end] = [shadowed[0], shadowed.at(-1)]
          if (start === undefined || end === undefined) list.push(seq)
          else {
            const sources = [[0, seq - 1]] as const
            expect(surface.shadowedBy({ kind: 'replace', start, end, sources })).toEqual(shadowed)
            list.splice(from, shadowed.length, seq)
            replaced++
          }
          surface.commit(seq, shadowed)
          expect(surface.nodes).toEqual(list)
        })
        expect(surface.replaceGeneration).toBe(replaced)
      })
    )
  })

  test('of a hundred thousand messages, each rewritten once, is had in linear time', () => {
    const surface = new Surface()
    const size = 100_000
    for (let seq = 0; seq < size; seq++) surface.commit(seq, [])
    for (let seq = 0; seq < size; seq++) {
      const shadowed = surface.shadowedBy({ kind: 'replace', start: seq, end: seq, sources: [[seq, seq]] })
      surface.commit(size + seq, shadowed as number[])
    }
    expect(surface.nodes.at(0)).toBe(size)
    expect(surface.nodes).toHaveLength(size)
  })
})

describe('a log is refused', () => {
  const base = [user('a'), user('b'), result('c')] as const
  test.each<[string, Draft, RegExp]>([
    ['a message without surfaceOp', { type: 'user/message', data: {} }, /no surfaceOp/],
    ['another event with surfaceOp', { ...turn, surfaceOp: 'append' }, /neither surfaceOp nor sourceEventSeqs/],
    ['another event with sources', { ...turn, sourceEventSeqs: [0] }, /neither surfaceOp nor sourceEventSeqs/],
    ['an unknown operation', { ...user('x'), surfaceOp: 'prepend' }, /neither "append" nor a replacement/],
    ['null as operation', { ...user('x'), surfaceOp: null }, /neither "append" nor a replacement/],
    [
      'a replacement with a fourth member',
      { ...user('x'), surfaceOp: { op: 'replace', start: 0, end: 0, more: 1 }, sourceEventSeqs: [0] },
      /neither "append" nor a replacement/
    ],
    [
      'a replacement with the members of v3',
      { ...user('x'), surfaceOp: { op: 'replace', startSeq: 0, endSeq: 0 }, sourceEventSeqs: [0] },
      /neither "append" nor a replacement/
    ],
    ['a range that begins nowhere', replacing(user('x'), 7, 1, [0, 1]), /replaces 7, which is not in the conv/],
    ['a range that ends nowhere', replacing(user('x'), 0, 9, [0, 1]), /replaces 9, which is not in the conv/],
    ['a range that is turned round', replacing(user('x'), 1, 0, [0, 1]), /0 stands before 1/],
    ['a shadowed node that is not named', replacing(user('x'), 0, 1, [1]), /shadows 0, which sourceEventSeqs does not/],
    [
      'a replacement without sources',
      { ...user('x'), surfaceOp: { op: 'replace', start: 0, end: 0 } },
      /shadows 0, which sourceEventSeqs does not/
    ],
    ['empty sources', { ...user('x'), sourceEventSeqs: [] }, /are empty/],
    ['sources that are no list', { ...user('x'), sourceEventSeqs: 0 }, /no list/],
    ['a source twice', { ...user('x'), sourceEventSeqs: [0, 1, 0] }, /names 0 twice/],
    ['a source in a run too', { ...user('x'), sourceEventSeqs: [[0, 2], 1] }, /names 1 twice/],
    ['a source that is not earlier', { ...user('x'), sourceEventSeqs: [3] }, /names 3, which is not earlier/],
    ['a run that ends later', { ...user('x'), sourceEventSeqs: [[0, 5]] }, /names 5, which is not earlier/],
    ['a run that is turned round', { ...user('x'), sourceEventSeqs: [[2, 0]] }, /something else/],
    ['a source that is no number', { ...user('x'), sourceEventSeqs: ['0'] }, /something else/],
    ['a result in the place of another message', replacing(result('x'), 1, 1, [1]), /exactly one tool\/result/],
    ['a result in the place of two', replacing(result('x'), 1, 2, [1, 2]), /exactly one tool\/result/],
    ['a result that changes more', replacing(result('x', { step: 2 }), 2, 2, [2]), /nothing but the content/],
    ['a result that gains a member', replacing(result('x', { meta: {} }), 2, 2, [2]), /nothing but the content/]
  ])('for %s', (_, draft, why) => {
    expect(() => foldSurface(log(...base, draft))).toThrow(why)
    expect(() => foldSurface(log(...base, draft))).toThrow(expect.objectContaining({ code: 'invalid-input' }))
  })

  test('for numbers that do not follow each other', () => {
    const [first, second] = log(user('a'), user('b')) as [StoredEvent, StoredEvent]
    expect(() => foldSurface([first, { ...second, seq: 2 }])).toThrow('Event 1 is refused: its seq is 2.')
  })
})

test('an event says by itself what it does to the conversation', () => {
  const step = (draft: Draft) => surfaceStepOf({ seq: 9, ...draft })
  expect(step(turn)).toBeNull()
  expect(step(user('a'))).toEqual({ kind: 'append' })
  const sources = [[2, 4], 7]
  expect(step(replacing(user('a'), 2, 7, sources))).toEqual({
    kind: 'replace',
    start: 2,
    end: 7,
    sources: [
      [2, 4],
      [7, 7]
    ]
  })
  expect(step({ type: 'tool/result' })).toEqual({ kind: 'invalid', why: 'tool/result has no surfaceOp' })
})

test('all of a tool result is fixed but its content, whatever its shape', () => {
  const block = { type: 'tool-result', toolCallId: 'c', content: null }
  const message = { id: 'r', role: 'user', source: { kind: 'tool', callId: 'c' }, content: [block] }
  expect(fixedPart(result('a').data as Json)).toEqual({ turn: 1, step: 1, message })
  expect(fixedPart({ callId: 'c', content: [1], isError: false })).toEqual({
    callId: 'c',
    content: null,
    isError: false
  })
  expect(fixedPart({ message: { role: 'tool', content: [1] } }, 4)).toEqual({
    message: { role: 'tool', content: null }
  })
})

test('a tool result is rewritten where nothing but its content changes', () => {
  const events = log(user('a'), result('long'), replacing(result('short'), 1, 1, [1]))
  expect(foldSurface(events).nodes).toEqual([0, 2])
  expect(texts(events)[1]).toContain('short')
})

test('an answer may name no sources at all, to say that nothing was streamed', () => {
  expect(foldSurface(log(user('a'), { ...answer(), sourceEventSeqs: [] })).nodes).toEqual([0, 1])
})

test('runs of sources are ranges, however long they are', () => {
  expect(sourcesOf([[7, 12], 20, 4], 21)).toEqual([
    [4, 4],
    [7, 12],
    [20, 20]
  ])
  expect(sourcesOf([[0, 2 ** 50]], 2 ** 51)).toEqual([[0, 2 ** 50]])
})

describe('from v3 on', () => {
  const replacement = { op: 'replace', startSeq: 0, endSeq: 0 }

  test('a replacement has startSeq and endSeq', () => {
    const events = log(user('a'), { ...user('b'), surfaceOp: replacement, sourceEventSeqs: [0] })
    expect(foldSurface(events, 3).nodes).toEqual([1])
    expect(() => foldSurface(log(user('a'), replacing(user('b'), 0, 0, [0])), 3)).toThrow(/neither "append"/)
  })

  test('an answer has no sources', () => {
    expect(() => foldSurface(log(user('a'), { ...answer(), sourceEventSeqs: [] }), 3)).toThrow(/from v3 on/)
  })

  test('system prompts are messages, and an empty one gives none', () => {
    const system = (content: Json): Draft => ({
      type: 'system/message',
      data: { turn: 1, step: 1, message: { id: 's', role: 'system', content, source: { kind: 'system' } } },
      surfaceOp: 'append'
    })
    const events = log(system([{ type: 'text', text: 'be brief' }]), system([]), user('a'))
    expect(foldSurface(events, 3).nodes).toEqual([0, 1, 2])
    expect(deriveMessages(events, 3).map(({ role }) => role)).toEqual(['system', 'user'])
    expect(() => foldSurface(events, 2)).toThrow(/neither surfaceOp/)
  })

  test('and from v4 on a result is rewritten in its message, and there are messages of developers', () => {
    const flat = (text: string, isError = false): Draft => ({
      type: 'tool/result',
      data: {
        turn: 1,
        message: { id: 'r', role: 'tool', toolCallId: 'c', content: [{ type: 'text', text }], isError }
      },
      surfaceOp: 'append'
    })
    const rewritten = (draft: Draft): Draft => ({ ...draft, surfaceOp: replacement, sourceEventSeqs: [0] })
    expect(foldSurface(log(flat('a'), rewritten(flat('b'))), 4).nodes).toEqual([1])
    expect(() => foldSurface(log(flat('a'), rewritten(flat('b', true))), 4)).toThrow(/nothing but the content/)
    expect(isSurfaceEligibleType('developer/message', 4)).toBe(true)
    expect(isSurfaceEligibleType('developer/message', 3)).toBe(false)
    expect(isSurfaceEligibleType('system/message', 5)).toBe(true)
  })
})

describe('an event gives the message', () => {
  const derive = (draft: Draft, id?: string) => deriveEventMessage({ seq: 3, ...draft }, id)

  test('that it holds, the very object', () => {
    const draft = answer({ type: 'text', text: 'x' })
    expect(derive(draft)).toBe((draft.data as { message: Json }).message)
    const own = user('a')
    expect(derive(own)).toBe(own.data)
  })

  test('or none: an empty answer, an event of another kind, one that holds none', () => {
    expect(derive(answer())).toBeNull()
    expect(derive(turn)).toBeNull()
    expect(derive({ type: 'user/message', data: 'text' })).toBeNull()
    expect(derive({ type: 'assistant/message', data: { message: null } })).toBeNull()
  })

  test('even of a person who said nothing', () => {
    const empty = { type: 'user/message', data: { id: 'm', role: 'user', content: [] } }
    expect(derive(empty)).toEqual({ id: 'm', role: 'user', content: [] })
  })

  test('that the first logs meant, with the id that it would have', () => {
    const content = [{ type: 'text', text: 'x' }]
    const source = { kind: 'user' }
    expect(derive({ type: 'user/message', data: { content, source } }, 'made')).toEqual({
      id: 'made',
      role: 'user',
      content,
      source
    })
    expect(derive({ type: 'steering/message', data: { turn: 1, content, source } }, 'made')).toEqual({
      id: 'made',
      role: 'user',
      content,
      source
    })
    expect(
      derive({ type: 'steering/message', data: { turn: 1, message: { id: 'm', role: 'user', content } } })
    ).toEqual({
      id: 'm',
      role: 'user',
      content
    })
    expect(derive({ type: 'context/message', data: { content, meta: { secret: 1 } } })).toEqual({
      role: 'user',
      content
    })
    const provenance = { provider: 'p', model: 'm', replay: [1] }
    expect(derive({ type: 'assistant/message', data: { turn: 1, step: 1, content, provenance } }, 'made')).toEqual({
      id: 'made',
      role: 'assistant',
      content,
      source: { ...provenance, kind: 'model' }
    })
    const stored = { type: 'tool/result', data: { turn: 1, step: 1, callId: 'c', content, isError: true } }
    expect(derive(stored, 'made')).toEqual({
      id: 'made',
      role: 'user',
      source: { kind: 'tool', callId: 'c' },
      content: [{ type: 'tool-result', toolCallId: 'c', content, isError: true }]
    })
  })
})
