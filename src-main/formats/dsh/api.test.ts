import { afterEach, beforeEach, describe, expect, expectTypeOf, test, vi } from 'vitest'
import type { Json } from '#shared/model/records.ts'
import {
  deriveEventMessage,
  foldRequestHeader,
  foldSurface,
  isJsonValue,
  isSurfaceEligibleType,
  isSurfaceEvent,
  SESSION_FORMAT_VERSION,
  Session,
  type SessionEvent,
  type SessionEventType,
  SessionStore,
  snapshotJsonValue,
  type TurnEndReason,
  type TurnTrigger
} from './api.ts'

declare module './api.ts' {
  interface SessionEventMap {
    'test/note': { readonly note: string }
  }
  interface TurnTriggerMap {
    timer: { readonly every: number }
  }
  interface TurnEndReasonMap {
    'out-of-paper': { readonly pages: number }
  }
}

const append = { surfaceOp: 'append' } as const
const text = (words: string) => ({ type: 'text', text: words })
const user = (words: string) => ({ id: `m-${words}`, role: 'user', content: [text(words)], source: { kind: 'user' } })
const model = { kind: 'model', provider: 'acme', model: 'large-1' }
const answer = (...content: readonly { type: string; [member: string]: Json }[]) => ({
  turn: 1,
  step: 1,
  message: { id: 'a', role: 'assistant', content, source: model }
})
const result = (words: string, more: object = {}) => ({
  turn: 1,
  step: 1,
  message: {
    id: 'r',
    role: 'user',
    content: [{ type: 'tool-result', toolCallId: 'c', content: [text(words)] }],
    source: { kind: 'tool', callId: 'c' }
  },
  ...more
})
const completed = { turn: 1, reason: { kind: 'completed' } } as const

/** A turn with a prompt, a call and its result: events 0 to 6, the last one the turn's end. */
function begun(session = new Session('s')): Session {
  session.append('turn/start', { turn: 1 })
  session.append('step/start', { turn: 1, step: 1 })
  session.append('user/message', user('read it'), append)
  session.append('assistant/message', answer({ type: 'tool-call', id: 'c', name: 'read', arguments: '{}' }), append)
  session.append('tool/result', result('all of it'), append)
  session.append('step/end', { turn: 1, step: 1 })
  session.append('turn/end', completed)
  return session
}

const contents = (session: Session) => session.deriveMessages().map(({ content }) => content)
/** A call as a program without types makes it. */
const loosely = (session: Session) =>
  session as unknown as { append(type: string, data: unknown, intent?: unknown): SessionEvent }

const warnings: string[] = []
beforeEach(() => {
  warnings.length = 0
  vi.spyOn(process, 'emitWarning').mockImplementation((warning) => warnings.push(String(warning)))
})
afterEach(() => vi.restoreAllMocks())

describe('a store creates', () => {
  test('a session of version 0 with its id, made now, that is in the store and announced', () => {
    const store = new SessionStore()
    const created: Session[] = []
    store.on('session/created', (session) => created.push(session))
    const before = Date.now()
    const session = store.create('one')
    expect(session.header).toMatchObject({ version: 0, id: 'one' })
    expect(SESSION_FORMAT_VERSION).toBe(0)
    expect(session.header.createdAt).toBeGreaterThanOrEqual(before)
    expect(session.header.createdAt).toBeLessThanOrEqual(Date.now())
    expect(store.get('one')).toBe(session)
    expect(created).toEqual([session])
  })

  test('ids of its own where none is given, and never one that is taken', () => {
    const store = new SessionStore()
    store.create('session-2')
    expect([store.create().id, store.create().id]).toEqual(['session-1', 'session-3'])
    expect(() => store.create('session-1')).toThrow(expect.objectContaining({ code: 'exists' }))
  })

  test('with copies of the seed and of what the header says', () => {
    const meta = { cwd: '/srv/shop' }
    const seed = structuredClone(begun().events) as unknown as { data: { turn: number } }[]
    const session = new SessionStore().create('one', { seed, meta })
    meta.cwd = '/tmp'
    seed[0]!.data.turn = 99
    expect(session.header.cwd).toBe('/srv/shop')
    expect(session.events[0]?.data).toEqual({ turn: 1 })
  })

  test('from what the header says, each of its members read once', () => {
    let reads = 0
    const meta = {
      get createdAt() {
        return ++reads
      }
    }
    expect(new SessionStore().create('one', { meta }).header.createdAt).toBe(1)
    expect(reads).toBe(1)
  })

  test('a stored session again with the time, seed and depth that it had', () => {
    const meta = { createdAt: 1_700_000_000_000, seedLength: 7, delegationDepth: 1, parentSession: 'p', cwd: '/srv' }
    const session = new SessionStore().create('one', { seed: begun().events, meta })
    expect(session.header).toEqual({ version: 0, id: 'one', ...meta })
  })

  test('nothing that a listener of its creation throws at', () => {
    const store = new SessionStore()
    const disposed: string[] = []
    store.on('session/created', () => {
      throw new Error('no')
    })
    store.on('session/disposed', ({ id }) => disposed.push(id))
    expect(() => store.create('one')).toThrow('no')
    expect(store.list()).toEqual([])
    expect(disposed).toEqual(['one'])
  })

  test('sessions that leave with it even where it is disposed of while they are announced', () => {
    const store = new SessionStore()
    const told: string[] = []
    store.on('session/created', () => {
      store[Symbol.dispose]()
      told.push('created')
    })
    store.on('session/disposed', () => told.push('disposed'))
    store.create('one')
    expect(told).toEqual(['created', 'disposed'])
    expect(store.list()).toEqual([])
  })

  test('sessions that leave with it, the last first; those that were entered by hand stay', () => {
    const store = new SessionStore()
    const disposed: string[] = []
    store.on('session/disposed', ({ id }) => disposed.push(id))
    store.create('one')
    store.create('two')
    const own = store.prepare('own')
    store.enter(own)
    store.announce(own)
    store[Symbol.dispose]()
    expect(disposed).toEqual(['two', 'one'])
    expect(store.list()).toEqual([own])
  })
})

test('a store gives a session by its id, and all of them in the order in which they came', () => {
  const store = new SessionStore()
  const [one, two] = [store.create('one'), store.create('two')]
  expect(store.get('two')).toBe(two)
  expect(store.get('three')).toBeUndefined()
  expect(store.list()).toEqual([one, two])
  store.list().pop()
  expect(store.list()).toHaveLength(2)
})

describe('a prepared session', () => {
  test('is checked, and in no store', () => {
    const store = new SessionStore()
    const session = store.prepare('one', { seed: begun().events })
    expect(store.get('one')).toBeUndefined()
    expect(session.deriveMessages()).toHaveLength(3)
    expect(() => store.prepare('two', { meta: { cwd: 'srv' } })).toThrow(/its cwd is not an absolute path/)
  })

  test('is entered without a word, and detached without one', () => {
    const store = new SessionStore()
    const told: string[] = []
    store.on('session/created', () => told.push('created'))
    store.on('session/disposed', () => told.push('disposed'))
    const session = store.prepare('one')
    const detach = store.enter(session)
    expect(store.get('one')).toBe(session)
    detach()
    expect(store.get('one')).toBeUndefined()
    expect(told).toEqual([])
  })

  test('may share its id with another, but only one of them is entered', () => {
    const store = new SessionStore()
    const [first, second] = [store.prepare('one'), store.prepare('one')]
    store.enter(first)
    expect(() => store.enter(second)).toThrow(expect.objectContaining({ code: 'exists' }))
    expect(() => store.prepare('one')).toThrow(expect.objectContaining({ code: 'exists' }))
    expect(store.get('one')).toBe(first)
  })

  test('is in one store at a time', () => {
    const [store, other] = [new SessionStore(), new SessionStore()]
    const session = store.prepare('one')
    const detach = store.enter(session)
    expect(() => other.enter(session)).toThrow(expect.objectContaining({ code: 'exists' }))
    detach()
    other.enter(session)
    expect(other.get('one')).toBe(session)
  })

  test('is detached once, and what detached it never removes its successor', () => {
    const store = new SessionStore()
    const disposed: Session[] = []
    store.on('session/disposed', (session) => disposed.push(session))
    const [first, second] = [store.prepare('one'), store.prepare('one')]
    const detach = store.enter(first)
    store.announce(first)
    detach()
    detach()
    store.enter(second)
    detach()
    expect(store.get('one')).toBe(second)
    expect(disposed).toEqual([first])
  })

  test('is announced once, not even from within', () => {
    const store = new SessionStore()
    const failures: unknown[] = []
    store.on('session/created', (session) => {
      try {
        store.announce(session)
      } catch (error) {
        failures.push(error)
      }
    })
    const session = store.prepare('one')
    expect(() => store.announce(session)).toThrow(expect.objectContaining({ code: 'not-found' }))
    store.enter(session)
    store.announce(session)
    expect(failures).toEqual([expect.objectContaining({ code: 'invalid-input' })])
    expect(() => store.announce(session)).toThrow(/announced already/)
  })

  test('that is detached while it is announced leaves when that is done, and its end is told', () => {
    const store = new SessionStore()
    const told: string[] = []
    const session = store.prepare('one')
    const detach = store.enter(session)
    store.on('session/created', () => {
      detach()
      told.push(`created, ${store.get('one') === session ? 'in' : 'out'}`)
    })
    store.on('session/created', () => told.push('created for the second'))
    store.on('session/disposed', () => told.push(`disposed, ${store.get('one') === session ? 'in' : 'out'}`))
    store.announce(session)
    expect(told).toEqual(['created, in', 'created for the second', 'disposed, out'])
  })

  test('that is detached while it is appended to leaves when that is done', () => {
    const store = new SessionStore()
    const told: string[] = []
    const session = store.prepare('one')
    const detach = store.enter(session)
    store.announce(session)
    store.on('session/event', () => {
      detach()
      told.push('event')
    })
    store.on('session/disposed', () => told.push('disposed'))
    session.append('turn/start', { turn: 1 })
    session.append('turn/end', completed)
    expect(told).toEqual(['event', 'disposed'])
    expect(session.seq).toBe(2)
  })
})

describe('a flush', () => {
  test('starts every listener and waits for all, then throws what the first of them threw', async () => {
    const store = new SessionStore()
    const told: string[] = []
    const { promise, resolve } = Promise.withResolvers<void>()
    store.on('session/flush', () => {
      throw new Error('first')
    })
    store.on('session/flush', () => Promise.reject(new Error('second')))
    store.on('session/flush', async () => {
      told.push('started')
      await promise
      told.push('done')
    })
    const flushed = store.flush(store.create('one')).catch((error: Error) => told.push(error.message))
    expect(told).toEqual(['started'])
    resolve()
    await flushed
    expect(told).toEqual(['started', 'done', 'first'])
  })

  test('comes to its end where all listeners do', async () => {
    const store = new SessionStore()
    const flushed: string[] = []
    store.on('session/flush', async ({ id }) => void flushed.push(id))
    await store.flush(store.create('one'))
    expect(flushed).toEqual(['one'])
  })

  test('is refused for a session that is prepared only, detached, or stale', async () => {
    const store = new SessionStore()
    const [first, second] = [store.prepare('one'), store.prepare('one')]
    await expect(store.flush(first)).rejects.toMatchObject({ code: 'not-found' })
    const detach = store.enter(first)
    await store.flush(first)
    detach()
    await expect(store.flush(first)).rejects.toMatchObject({ code: 'not-found' })
    store.enter(second)
    await expect(store.flush(first)).rejects.toMatchObject({ code: 'not-found' })
  })
})

describe('a fork', () => {
  const forked = (...[boundary, child]: [number?, string?]) => {
    const store = new SessionStore()
    const parent = store.create('parent', { meta: { cwd: '/srv/shop', delegationDepth: 2, createdAt: 5 } })
    begun(parent)
    return { store, parent, child: store.fork(parent, boundary, child) }
  }

  test('is a live child of its parent, with its events up to the end of a turn and a mark behind them', () => {
    const { store, parent, child } = forked()
    expect(child.header).toEqual({
      version: 0,
      id: 'session-1',
      createdAt: expect.any(Number),
      cwd: '/srv/shop',
      parentSession: 'parent',
      seedLength: 7
    })
    expect(child.header.createdAt).toBeGreaterThan(5)
    expect(child.events.slice(0, 7)).toEqual(parent.events)
    expect(child.events.slice(7)).toMatchObject([{ type: 'session/end-seed', seq: 7, data: {} }])
    expect(store.list()).toEqual([parent, child])
    expect(child.deriveMessages()).toEqual(parent.deriveMessages())
  })

  test('may be of an id, at an earlier turn, under an id that is given', () => {
    const { store, parent } = forked()
    parent.append('turn/start', { turn: 2 })
    parent.append('turn/end', { ...completed, turn: 2 })
    const child = store.fork('parent', 6, 'child')
    expect([child.id, child.header.seedLength, child.seq]).toEqual(['child', 7, 8])
    expect(store.fork('parent').header.seedLength).toBe(9)
    expect(() => store.fork('parent', 6, 'child')).toThrow(expect.objectContaining({ code: 'exists' }))
  })

  test('of one that begins with a seed, with nothing of its own yet, is at the end of the seed', () => {
    const { store, parent, child } = forked(undefined, 'child')
    const grandchild = store.fork(child)
    expect(grandchild.header).toMatchObject({ parentSession: 'child', seedLength: 7 })
    expect(grandchild.events.slice(0, 7)).toEqual(parent.events)
    expect(grandchild.seq).toBe(8)
    const open = store.create('open', { seed: parent.events.slice(0, 3) })
    expect(() => store.fork(open)).toThrow(expect.objectContaining({ code: 'not-resumable' }))
  })

  test.each([
    [2, 'is a user/message', ['6']],
    [7, 'is none of its events', ['6']],
    [-1, 'is none of its events', ['6']],
    [0.5, 'is none of its events', ['6']]
  ])('at event %s is refused with the nearest that could be', (boundary, why, nearest) => {
    expect(() => forked(boundary)).toThrow(expect.objectContaining({ code: 'not-resumable', nearest }))
    expect(() => forked(boundary)).toThrow(why)
  })

  test('of a session whose turn is open, of one without events, or of one that is not in the store is refused', () => {
    const { store, parent } = forked()
    parent.append('turn/start', { turn: 2 })
    expect(() => store.fork(parent)).toThrow(/is a turn\/start/)
    expect(() => store.fork(store.create('empty'))).toThrow(expect.objectContaining({ code: 'not-resumable' }))
    expect(() => store.fork('nobody')).toThrow(expect.objectContaining({ code: 'not-found' }))
    expect(() => store.fork(begun(new Session('parent')))).toThrow(expect.objectContaining({ code: 'not-found' }))
  })
})

describe('an append', () => {
  test('keeps a frozen copy of its data and of its place in the conversation', () => {
    const session = begun()
    const data = user('again')
    const sourceEventSeqs = [2]
    const event = session.append('user/message', data, { surfaceOp: 'append', sourceEventSeqs })
    data.content.push(text('changed'))
    sourceEventSeqs.push(3)
    expect(event).toMatchObject({
      seq: 7,
      data: { content: [text('again')] },
      surfaceOp: 'append',
      sourceEventSeqs: [2]
    })
    expect(() => (event.data.content as unknown[]).push(1)).toThrow(TypeError)
    expect(() => ((event as { seq: number }).seq = 1)).toThrow(TypeError)
    expect(session.events[7]).toBe(event)
  })

  test('of an event that makes a message needs its place, and no other may have one', () => {
    const session = begun()
    // @ts-expect-error The third parameter is required for a message.
    expect(() => session.append('user/message', user('x'))).toThrow(/no surfaceOp/)
    // @ts-expect-error It is no member of other events.
    expect(() => session.append('turn/start', { turn: 2 }, append)).toThrow(/neither surfaceOp nor sourceEventSeqs/)
    expect(() => loosely(session).append('turn/start', {}, { sourceEventSeqs: [1] })).toThrow(/neither surfaceOp/)
    expect(() => loosely(session).append('user/message', user('x'), { surfaceOp: 'middle' })).toThrow(
      /neither "append"/
    )
    const start = { op: 'replace', start: 2 }
    expect(() => loosely(session).append('user/message', user('x'), { surfaceOp: start })).toThrow(/neither "append"/)
    expect(session.seq).toBe(7)
  })

  test.each([[''], [1], [undefined]])('of the type %j, which is no name, is refused', (type) => {
    const session = new Session('s')
    expect(() => loosely(session).append(type as string, {})).toThrow(/its type is no name/)
    expect(session.seq).toBe(0)
  })

  test.each<[string, unknown, RegExp]>([
    ['an unknown event', [7], /names 7, which is not earlier/],
    ['an event twice', [2, 2], /names 2 twice/],
    ['nothing', [], /are empty/],
    ['a run', [[2, 3]], /something else than numbers/],
    ['a text', ['2'], /something else than numbers/],
    ['a fraction', [0.5], /something else than numbers/],
    ['a list with a hole', Object.assign([], { 1: 2 }), /what JSON cannot/]
  ])('is refused where its sources name %s', (_, sourceEventSeqs, why) => {
    const session = begun()
    const intent = { surfaceOp: 'append', sourceEventSeqs }
    expect(() => loosely(session).append('user/message', user('x'), intent)).toThrow(why)
    expect(session.seq).toBe(7)
  })

  test('of an answer may name no sources: its stream is known to be empty', () => {
    const session = begun()
    expect(session.append('assistant/message', answer(), { ...append, sourceEventSeqs: [] }).sourceEventSeqs).toEqual(
      []
    )
    expect(session.append('assistant/message', answer(), append)).not.toHaveProperty('sourceEventSeqs')
  })

  test('of a replacement names all that it shadows; one entry may be replaced', () => {
    const session = begun()
    const replace = (start: number, end: number, sourceEventSeqs: readonly number[]) =>
      session.append('user/message', user('summary'), { surfaceOp: { op: 'replace', start, end }, sourceEventSeqs })
    expect(() => replace(2, 4, [2, 4])).toThrow(/shadows 3, which sourceEventSeqs does not name/)
    expect(() => replace(4, 2, [2, 3, 4])).toThrow(/2 stands before 4/)
    expect(() => replace(1, 2, [1, 2])).toThrow(/replaces 1, which is not in the conversation/)
    expect(session.surface.nodes).toEqual([2, 3, 4])
    replace(2, 2, [2])
    expect(session.surface.nodes).toEqual([7, 3, 4])
    replace(7, 4, [0, 7, 3, 4])
    expect(session.surface.nodes).toEqual([8])
  })

  test('of a tool result in the place of another changes nothing but the content', () => {
    const session = begun()
    const rewrite = (data: ReturnType<typeof result>, at = 4) =>
      session.append('tool/result', data, {
        surfaceOp: { op: 'replace', start: at, end: at },
        sourceEventSeqs: [at]
      })
    expect(() => rewrite(result('less', { step: 2 }))).toThrow(/nothing but the content/)
    expect(() => rewrite(result('less'), 3)).toThrow(/exactly one tool\/result/)
    rewrite(result('less'))
    expect(contents(session)[2]).toEqual([{ type: 'tool-result', toolCallId: 'c', content: [text('less')] }])
  })

  test.each([-0, Number.NaN, undefined, 1n, new Date(0), [undefined]])(
    'of what JSON cannot hold is refused: %s',
    (value) => {
      const session = begun()
      expect(() => loosely(session).append('test/note', { note: value })).toThrow(/what JSON cannot/)
      expect(session.seq).toBe(7)
    }
  )

  test('reads every member once, and passes on what one throws', () => {
    const session = new Session('s')
    let reads = 0
    const data = {
      get note() {
        return `read ${++reads}`
      }
    }
    expect(session.append('test/note', data).data).toEqual({ note: 'read 1' })
    const broken = {
      get note(): string {
        throw new Error('no note')
      }
    }
    expect(() => session.append('test/note', broken)).toThrow('no note')
    expect(session.seq).toBe(1)
  })

  test('of a header with the reason "fallback", or of a delta, is refused', () => {
    const session = new Session('s')
    const header = { config: { provider: 'acme', model: 'large-1' } }
    expect(() => loosely(session).append('request/header', { header, reason: 'fallback' })).toThrow(/fallback/)
    expect(() => loosely(session).append('request/header-delta', {})).toThrow(/request\/header-delta/)
    session.append('request/header', { header, reason: 'resume' })
    expect(session.seq).toBe(1)
  })

  test('is in the log when listeners are told, and stays there whatever they do', async () => {
    const store = new SessionStore()
    const session = store.create('one')
    const told: string[] = []
    store.on('session/event', () => {
      throw new Error('first')
    })
    store.on('session/event', (() => Promise.reject(new Error('second'))) as () => void)
    const end = store.on('session/event', (from, event) => {
      told.push(`${event.type} of ${from.id}, ${from.events.at(-1) === event ? 'in' : 'not in'} the log`)
    })
    expect(session.append('turn/start', { turn: 1 }).seq).toBe(0)
    expect(told).toEqual(['turn/start of one, in the log'])
    await Promise.resolve()
    await Promise.resolve()
    expect(warnings).toEqual([
      'A listener of session/event failed for the session one: Error: first',
      'A listener of session/event failed for the session one: Error: second'
    ])
    end()
    session.append('turn/end', completed)
    expect(told).toHaveLength(1)
  })

  test('from within a listener is refused, and the log is as it was', () => {
    const store = new SessionStore()
    const session = store.create('one')
    const failures: unknown[] = []
    store.on('session/event', () => {
      try {
        session.append('test/note', { note: 'inner' })
      } catch (error) {
        failures.push(error)
      }
    })
    session.append('test/note', { note: 'outer' })
    expect(failures).toEqual([expect.objectContaining({ code: 'invalid-input' })])
    expect(session.events.map(({ data }) => data)).toEqual([{ note: 'outer' }])
    session.append('test/note', { note: 'next' })
    expect(session.seq).toBe(2)
  })

  test('of what a listener of another session appends is taken', () => {
    const store = new SessionStore()
    const [one, two] = [store.create('one'), store.create('two')]
    store.on('session/event', (session) => {
      if (session === one) two.append('test/note', { note: 'about one' })
    })
    one.append('turn/start', { turn: 1 })
    expect(two.seq).toBe(1)
  })
})

describe('a seed', () => {
  const events = () => structuredClone(begun().events) as { -readonly [Member in keyof SessionEvent]: unknown }[]
  const seeded = (change: (seed: ReturnType<typeof events>) => unknown) => {
    const seed = events()
    change(seed)
    return new Session('s', seed)
  }

  test('is frozen, makes the conversation again, and is marked', () => {
    const session = new Session('s', begun().events)
    expect(session.surface.nodes).toEqual([2, 3, 4])
    expect(session.events.at(-1)).toMatchObject({ type: 'session/end-seed', seq: 7, data: {} })
    expect(Object.isFrozen(session.events[2]?.data)).toBe(true)
    const again = new Session('s', session.events)
    expect(again.events).toEqual(session.events)
  })

  test.each<[string, (seed: ReturnType<typeof events>) => unknown, RegExp]>([
    ['a gap', (seed) => seed.splice(1, 1), /Event 1 of the seed is refused: its seq is 2/],
    ['a message without its place', (seed) => delete seed[2]!.surfaceOp, /no surfaceOp/],
    ['a place where none belongs', (seed) => (seed[0]!.surfaceOp = 'append'), /neither surfaceOp/],
    ['an unknown member', (seed) => Object.assign(seed[0]!, { more: 1 }), /no member more/],
    ['no time', (seed) => delete seed[0]!.time, /no time/],
    ['no data', (seed) => delete seed[0]!.data, /no data/],
    ['no type', (seed) => (seed[0]!.type = 1), /no type/],
    ['ignorable that is not true', (seed) => (seed[0]!.ignorable = false), /ignorable is true or not there/],
    ['something else than events', (seed) => (seed[0] = 1 as never), /no object/],
    ['what JSON cannot hold', (seed) => (seed[0]!.data = { turn: -0 }), /what JSON cannot/],
    [
      'an answer of nobody',
      (seed) => (seed[3]!.data = { turn: 1, step: 1, message: { role: 'assistant', content: [], source: {} } }),
      /names no provider and model/
    ],
    [
      'a request to nobody',
      (seed) =>
        Object.assign(seed[0]!, { type: 'request/header', data: { header: { config: {} }, reason: 'initial' } }),
      /names no provider and model/
    ],
    [
      'a header with the reason "fallback"',
      (seed) => Object.assign(seed[0]!, { type: 'request/header', data: { reason: 'fallback' } }),
      /fallback/
    ]
  ])('is refused with %s', (_, change, why) => {
    expect(() => seeded(change)).toThrow(why)
    expect(() => seeded(change)).toThrow(expect.objectContaining({ code: 'invalid-input' }))
  })
})

describe('the history for the model', () => {
  test('is a new list of the messages in the log, each of them shared and frozen', () => {
    const session = begun()
    const [first, second] = [session.deriveMessages(), session.deriveMessages()]
    expect(first).not.toBe(second)
    first.forEach((message, at) => expect(message).toBe(second[at]))
    expect(first[0]).toBe(session.events[2]?.data)
    expect(Object.isFrozen(first[0]?.content[0])).toBe(true)
    first.pop()
    expect(session.deriveMessages()).toHaveLength(3)
  })

  test('projects each entry once, and all of them again behind a replacement', () => {
    const session = begun()
    const derive = vi.spyOn(session, 'deriveEventMessage')
    session.deriveMessages()
    session.deriveMessages()
    expect(derive).toHaveBeenCalledTimes(3)
    session.append('user/message', user('more'), append)
    session.deriveMessages()
    expect(derive).toHaveBeenCalledTimes(4)
    session.append('user/message', user('sum'), {
      surfaceOp: { op: 'replace', start: 2, end: 4 },
      sourceEventSeqs: [2, 3, 4]
    })
    expect(contents(session)).toEqual([[text('sum')], [text('more')]])
    expect(derive).toHaveBeenCalledTimes(6)
  })

  test('keeps what an answer says of its model and what an adapter needs to replay it', () => {
    const session = new Session('s')
    const source = { ...model, replay: { signature: 'x' } }
    session.append(
      'assistant/message',
      { turn: 1, step: 1, message: { role: 'assistant', content: [text('y')], source } },
      append
    )
    expect(session.deriveMessages()[0]?.source).toEqual(source)
  })

  test('only ever grows by appends, so that what was sent stays a beginning of it', () => {
    const session = begun()
    const before = session.deriveMessages()
    session.append('user/message', user('more'), append)
    session
      .deriveMessages()
      .slice(0, 3)
      .forEach((message, at) => expect(message).toBe(before[at]))
  })

  test('is another from the first message on that a replacement shadows, and the log keeps it all', () => {
    const session = begun()
    const before = session.deriveMessages()
    session.append('user/message', user('sum'), {
      surfaceOp: { op: 'replace', start: 3, end: 4 },
      sourceEventSeqs: [3, 4]
    })
    const after = session.deriveMessages()
    expect(after[0]).toBe(before[0])
    expect(after).toHaveLength(2)
    expect(session.events.slice(0, 7).map(({ type }) => type)).toEqual(begun().events.map(({ type }) => type))
  })

  test('holds messages of every kind as they are, and nothing of other events', () => {
    const session = begun()
    session.append('steering/message', { turn: 1, message: user('left') }, append)
    session.append('context/message', { content: [text('today')], meta: { plugin: 1 } }, append)
    session.append('assistant/chunk', { turn: 1, step: 1, chunk: { type: 'usage', usage: {} } })
    session.append('request/header', {
      header: { config: { provider: 'acme', model: 'large-1' }, messagePrefix: [user('before all')] },
      reason: 'initial'
    })
    expect(session.deriveMessages().slice(3)).toEqual([user('left'), { role: 'user', content: [text('today')] }])
    expect(session.events.find(({ type }) => type === 'context/message')?.data).toHaveProperty('meta', { plugin: 1 })
  })

  test('has no message for an answer that says nothing, and is empty where no event is in the conversation', () => {
    const session = new Session('s')
    session.append('assistant/message', answer(), append)
    session.append('test/note', { note: 'raw' })
    expect(session.surface.nodes).toEqual([0])
    expect(session.deriveMessages()).toEqual([])
  })

  test('is made by the same projection as the message of one event', () => {
    const session = begun()
    expect(session.events.flatMap((event) => session.deriveEventMessage(event) ?? [])).toEqual(session.deriveMessages())
    expect(deriveEventMessage(session.events[2]!)).toBe(session.events[2]?.data)
    expect(session.deriveEventMessage(session.events[0]!)).toBeNull()
  })
})

describe('a session shows', () => {
  test('its conversation as it is now, whose generation changes with every replacement', () => {
    const session = begun()
    const { surface } = session
    expect(surface.replaceGeneration).toBe(0)
    session.append('user/message', user('x'), { surfaceOp: { op: 'replace', start: 2, end: 2 }, sourceEventSeqs: [2] })
    expect(surface.replaceGeneration).toBe(1)
    expect(surface.nodes).toEqual([7, 3, 4])
    expect(Object.keys(surface)).toEqual(['nodes', 'replaceGeneration'])
    expect(() =>
      session.append('user/message', user('x'), { surfaceOp: { op: 'replace', start: 2, end: 2 } })
    ).toThrow()
    expect(surface.replaceGeneration).toBe(1)
  })

  test('nothing through which it could be changed', () => {
    const session = begun()
    const { nodes } = session.surface
    const changes = [
      () => (nodes as number[]).push(6),
      () => ((session.surface as { nodes: readonly number[] }).nodes = []),
      () => ((session.surface as { replaceGeneration: number }).replaceGeneration = 9),
      () => ((session as { surface: unknown }).surface = { nodes: [] }),
      () => ((session as { header: unknown }).header = { id: 'other' }),
      () => ((session as { id: string }).id = 'other')
    ]
    for (const change of changes) expect(change).toThrow(TypeError)
    session.append('user/message', user('more'), append)
    expect(session.surface.nodes).toEqual([2, 3, 4, 7])
    expect(nodes).toEqual([2, 3, 4])
    expect(session.surface.nodes).toBe(session.surface.nodes)
    expect(session.id).toBe('s')
  })

  test('its log as a frozen list that is the same until the next append', () => {
    const session = begun()
    const { events } = session
    expect(session.events).toBe(events)
    expect(() => (events as unknown[]).push(1)).toThrow(TypeError)
    session.append('test/note', { note: 'x' })
    expect(events).toHaveLength(7)
    expect(session.events).toHaveLength(8)
  })

  test('the number of the next event, and its id', () => {
    const session = begun()
    expect(session.seq).toBe(7)
    expect(session.append('test/note', { note: 'x' }).seq).toBe(7)
    expect(session.id).toBe('s')
    expect(session.id).toBe(session.header.id)
  })

  test('its header, frozen, in the order in which dsh writes it', () => {
    const meta = { delegationDepth: 1, parentSession: 'p', cwd: '/srv', createdAt: 1 }
    const { header } = new SessionStore().create('one', { meta })
    expect(JSON.stringify(header)).toBe(
      '{"version":0,"id":"one","createdAt":1,"cwd":"/srv","parentSession":"p","delegationDepth":1}'
    )
    expect(() => ((header as { id: string }).id = 'two')).toThrow(TypeError)
  })

  test.each<[string, object, RegExp]>([
    ['another id', { id: 'other' }, /its id is not that of the session/],
    ['another version', { version: 1 }, /its version is not 0/],
    ['a time as a text', { createdAt: '2026-01-01' }, /its createdAt is not a time/],
    ['a relative path', { cwd: 'srv' }, /its cwd is not an absolute path/],
    ['a negative length', { seedLength: -1 }, /its seedLength is not a number of events/],
    ['half a level', { delegationDepth: 0.5 }, /its delegationDepth is not a number of levels/],
    ['a parent that is no text', { parentSession: 1 }, /its parentSession is not a text/],
    ['what JSON cannot hold', { createdAt: Number.NaN }, /no plain JSON object/]
  ])('no header with %s', (_, member, why) => {
    const header = { version: 0, id: 's', createdAt: 1, ...member } as never
    expect(() => new Session('s', undefined, header)).toThrow(why)
  })
})

test('events that are in the conversation are told from those that are not', () => {
  const { events } = begun()
  expect(events.map(isSurfaceEvent)).toEqual([false, false, true, true, true, false, false])
  const unmarked = { type: 'user/message', seq: 0, time: 0, data: user('x') } as SessionEvent
  expect(isSurfaceEvent(unmarked)).toBe(false)
  for (const surfaceOp of ['middle', { op: 'replace', start: 1 }])
    expect(isSurfaceEvent({ ...unmarked, surfaceOp } as SessionEvent)).toBe(false)
  expect(isSurfaceEligibleType(unmarked.type)).toBe(true)
})

test('a log folds to the conversation and the replacements, in lists of its own', () => {
  const session = begun()
  session.append('user/message', user('sum'), {
    surfaceOp: { op: 'replace', start: 3, end: 4 },
    sourceEventSeqs: [3, 4]
  })
  const folded = foldSurface(session.events)
  expect(folded).toEqual({ nodes: [2, 7], replacements: [{ seq: 7, start: 3, end: 4, shadowedSeqs: [3, 4] }] })
  expect(folded.nodes).not.toBe(session.surface.nodes)
})

test('the request header of a log is its last one, and no message of the history', () => {
  const session = new Session('s')
  const config = { provider: 'acme', model: 'large-1' }
  session.append('request/header', { header: { config, system: 'Be brief' }, reason: 'initial' })
  session.append('request/header', { header: { config, system: 'Be long' }, reason: 'change' })
  expect(foldRequestHeader(session.events)).toEqual({ config, system: 'Be long' })
  expect(session.deriveMessages()).toEqual([])
})

test('JSON values are told and copied', () => {
  expect([isJsonValue({ a: [1] }), isJsonValue(-0)]).toEqual([true, false])
  expect([snapshotJsonValue({ a: [1] }), snapshotJsonValue(new Map())]).toEqual([{ a: [1] }, undefined])
})

test('the reason of an error keeps its step and what is known of it', () => {
  const session = new Session('s')
  const failure = { message: 'too many', provider: 'acme', status: 429 }
  session.append('turn/end', { turn: 1, reason: { kind: 'error', step: 2, failure } })
  session.append('turn/end', { turn: 2, reason: { kind: 'error', step: 1, message: 'no disk', code: 'ENOSPC' } })
  expect(session.events.map(({ data }) => data)).toEqual([
    { turn: 1, reason: { kind: 'error', step: 2, failure } },
    { turn: 2, reason: { kind: 'error', step: 1, message: 'no disk', code: 'ENOSPC' } }
  ])
})

test('a plugin adds event types, triggers and reasons by declaration merging', () => {
  expectTypeOf<'test/note'>().toExtend<SessionEventType>()
  expectTypeOf<SessionEvent<'test/note'>['data']>().toEqualTypeOf<{ readonly note: string }>()
  expectTypeOf<{ kind: 'timer'; every: number }>().toExtend<TurnTrigger>()
  expectTypeOf<{ kind: 'out-of-paper'; pages: number }>().toExtend<TurnEndReason>()
  const session = new Session('s')
  session.append('turn/start', { turn: 1, trigger: { kind: 'timer', every: 5 } })
  session.append('turn/end', { turn: 1, reason: { kind: 'out-of-paper', pages: 3 } })
  expect(session.seq).toBe(2)
})
