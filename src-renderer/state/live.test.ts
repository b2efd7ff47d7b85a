import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { calls, events } from '#shared/contract/contract.ts'
import type { Calls, Events } from '#shared/contract/contract.ts'
import type { EngineEnd } from '#shared/contract/app.ts'
import { Refusal } from '#shared/contract/refusal.ts'
import type { FolderKey, SessionKey } from '#shared/model/keys.ts'
import type { SessionRow } from '#shared/model/session.ts'
import { sessionRow } from '#shared/model/testing/session-row.ts'
import { createClient } from '#shared/rpc/client.ts'
import { channelPair } from '#shared/rpc/pair.ts'
import { serve } from '#shared/rpc/server.ts'
import type { Handlers } from '#shared/rpc/types.ts'
import { followEvents, withRow } from './live.ts'
import { keys } from './queries.ts'

const row = (key: string, updatedAt: string | null): SessionRow =>
  sessionRow(key, { key: key as SessionKey, updatedAt })

const ids = (rows: readonly SessionRow[] | undefined) => rows?.map(({ id }) => id)

test('a row takes its place by date, the one without a date last', () => {
  const list = [row('c', '2026-03'), row('b', '2026-02'), row('a', null)]
  expect(ids(withRow(list, row('a', '2026-02-15')))).toEqual(['c', 'a', 'b'])
  expect(ids(withRow(list, row('c', null)))).toEqual(['b', 'a', 'c'])
  expect(ids(withRow([], row('n', null)))).toEqual(['n'])
})

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

/** An engine that knows only `session.get`, and a cache that holds a list. */
function followed(stored: readonly SessionRow[], ended: EngineEnd | null = null) {
  const { left, right } = channelPair()
  const asked: string[] = []
  const get: Handlers<Calls>['session.get'] = ({ session }) => {
    asked.push(session)
    const found = stored.find(({ key }) => key === session)
    if (found === undefined) throw new Refusal('not-found', 'gone')
    return found
  }
  const server = serve<Calls, Events>(
    right,
    { calls, events },
    { 'session.get': get, 'engine.state': () => ({ ended }) } as unknown as Handlers<Calls>,
    () => 'bug'
  )
  const queries = new QueryClient()
  queries.setQueryData(keys.sessions, [row('b', '2026-02'), row('a', '2026-01')])
  followEvents(createClient<Calls, Events>(left), queries)
  const settle = async () => {
    await vi.advanceTimersByTimeAsync(200)
    await vi.advanceTimersByTimeAsync(0)
  }
  return { server, queries, asked, settle, list: () => ids(queries.getQueryData<SessionRow[]>(keys.sessions)) }
}

test('many events about one session in a moment ask for it once and move its row', async () => {
  const { server, asked, settle, list } = followed([row('a', '2026-03')])
  for (let i = 0; i < 5; i++) server.emit('session.changed', { session: 'a' as SessionKey, revision: i })
  await settle()
  expect(asked).toEqual(['a'])
  expect(list()).toEqual(['a', 'b'])
})

test('a changed folder makes the whole list be asked for again', async () => {
  const { server, queries, asked, settle } = followed([])
  server.emit('folder.changed', { folder: 'f' as FolderKey })
  await settle()
  expect(asked).toEqual([])
  expect(queries.getQueryState(keys.sessions)?.isInvalidated).toBe(true)
})

test('a session that is gone makes its row and the list be asked for again', async () => {
  const { server, queries, settle } = followed([])
  queries.setQueryData(keys.session('a' as SessionKey), row('a', null))
  server.emit('session.gone', { session: 'a' as SessionKey })
  await settle()
  expect(queries.getQueryState(keys.session('a' as SessionKey))?.isInvalidated).toBe(true)
  expect(queries.getQueryState(keys.sessions)?.isInvalidated).toBe(true)
})

test('a list that takes long arrives although changes go on, and is asked for again after them', async () => {
  const { server, queries, settle } = followed([])
  const answers: ((rows: readonly SessionRow[]) => void)[] = []
  const queryFn = () => new Promise<readonly SessionRow[]>((resolve) => answers.push(resolve))
  const observer = new QueryObserver(queries, { queryKey: keys.sessions, queryFn, staleTime: Infinity })
  const stop = observer.subscribe(() => undefined)
  for (let i = 0; i < 4; i++) {
    server.emit('folder.changed', { folder: 'f' as FolderKey })
    await settle()
  }
  expect(answers).toHaveLength(1)
  answers[0]!([row('first', null)])
  await vi.waitFor(() => expect(observer.getCurrentResult().data?.map(({ id }) => id)).toEqual(['first']))
  await vi.waitFor(async () => {
    await settle()
    expect(answers).toHaveLength(2)
  })
  stop()
})

test('a first answer that was on its way when something changed is not the last', async () => {
  const key = 'n' as SessionKey
  const { server, queries, settle, list } = followed([row('n', '2026-03')])
  queries.removeQueries({ queryKey: keys.sessions })
  const answers: (() => void)[] = []
  const late = <T>(queryKey: readonly unknown[], before: T) =>
    new QueryObserver(queries, {
      queryKey,
      queryFn: () => new Promise<T>((resolve) => answers.push(() => resolve(before))),
      staleTime: Infinity
    }).subscribe(() => undefined)
  const stops = [late(keys.sessions, [row('b', '2026-02')]), late(keys.session(key), row('n', '2026-01'))]
  server.emit('session.changed', { session: key, revision: 2 })
  await settle()
  for (const answer of answers) answer()
  await settle()
  expect(queries.getQueryData<SessionRow>(keys.session(key))?.updatedAt).toBe('2026-03')
  expect(list()).toEqual(['n', 'b'])
  for (const stop of stops) stop()
})

test('a first list that was on its way when a folder changed is asked for again', async () => {
  const { server, queries, settle } = followed([])
  queries.removeQueries({ queryKey: keys.sessions })
  const answers: (() => void)[] = []
  const queryFn = () => new Promise<readonly SessionRow[]>((resolve) => answers.push(() => resolve([])))
  const stop = new QueryObserver(queries, { queryKey: keys.sessions, queryFn, staleTime: Infinity }).subscribe(
    () => undefined
  )
  server.emit('folder.changed', { folder: 'f' as FolderKey })
  await settle()
  expect(answers).toHaveLength(1)
  answers[0]!()
  await settle()
  expect(answers).toHaveLength(2)
  stop()
})

test('while a part of the engine is gone its last words stay; once it is back all is asked again', async () => {
  const end: EngineEnd = { role: 'reader', why: { kind: 'memory' } }
  for (const ended of [end, null]) {
    const { server, queries, settle } = followed([], ended)
    server.emit('engine.changed', {})
    await settle()
    expect(queries.getQueryData(keys.engine)).toEqual({ ended })
    expect(queries.getQueryState(keys.sessions)?.isInvalidated).toBe(ended === null)
  }
})
