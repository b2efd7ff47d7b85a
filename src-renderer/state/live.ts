import type { QueryClient, QueryKey } from '@tanstack/react-query'
import type { SessionKey } from '#shared/model/keys.ts'
import type { EngineClient, Output } from './client.ts'
import { keys } from './queries.ts'

const gatherFor = 10
const leastRest = 150
const patchAtMost = 20

/**
 * Keeps the cache in step with the engine's events. A change after a rest is asked for at once, what comes meanwhile is
 * gathered; a few changes are patched into the list of sessions, many make it be asked for again. What is asked for is
 * waited for before more is asked, and then rested twice as long: a list of thousands that changes all the time still
 * arrives, and leaves the engine its time.
 */
export function followEvents(client: EngineClient, queries: QueryClient): void {
  const changed = new Set<SessionKey>()
  let folders = false
  let isWaiting = false
  let restUntil = 0

  // What is on its way may have been answered before the change; while it is a query's first, asking again would join it.
  const arrival = async (queryKey: QueryKey) => {
    await queries.getQueryCache().find({ queryKey })?.promise?.catch(ignored)
  }
  const askAgain = async (queryKey: QueryKey) => {
    await arrival(queryKey)
    await queries.invalidateQueries({ queryKey, exact: true })
  }

  const flush = async () => {
    const sessions = [...changed]
    changed.clear()
    const isWhole = folders || sessions.length > patchAtMost
    const asked = isWhole ? sessions.map((session) => askAgain(keys.session(session))) : sessions.map(patch)
    if (folders) asked.push(askAgain(keys.folders))
    if (isWhole) asked.push(askAgain(keys.sessions))
    folders = false
    const start = performance.now()
    await Promise.all(asked)
    isWaiting = false
    const end = performance.now()
    restUntil = end + Math.max(leastRest, 2 * (end - start))
    if (changed.size > 0 || folders) later()
  }
  const later = () => {
    if (isWaiting) return
    isWaiting = true
    setTimeout(() => void flush(), Math.max(gatherFor, restUntil - performance.now()))
  }
  const patch = async (session: SessionKey) => {
    try {
      await arrival(keys.session(session))
      const row = await queries.fetchQuery({
        queryKey: keys.session(session),
        queryFn: ({ signal }) => client.call('session.get', { session }, signal),
        staleTime: 0
      })
      await arrival(keys.sessions)
      queries.setQueryData<Output<'session.list'>>(keys.sessions, (list) => list && withRow(list, row))
    } catch {
      await askAgain(keys.sessions)
    }
  }

  client.on('session.changed', ({ session }) => {
    changed.add(session)
    later()
  })
  client.on('folder.changed', () => {
    folders = true
    later()
  })
  const followEngine = async () => {
    const state = await client.call('engine.state', {})
    queries.setQueryData<Output<'engine.state'>>(keys.engine, state)
    // While a part is gone, what it said stays; once it is back, all is asked again.
    if (state.ended === null) await queries.invalidateQueries()
  }
  client.on('engine.changed', () => void followEngine().catch(ignored))
  client.on('settings.changed', () => void queries.invalidateQueries({ queryKey: keys.settings }))
  client.on('session.gone', ({ session }) => {
    changed.add(session)
    folders = true
    later()
  })
}

/** A channel that has closed is said elsewhere. */
const ignored = () => undefined

/** The list with this row in its place, newest first. */
export function withRow(list: Output<'session.list'>, row: Output<'session.get'>): Output<'session.list'> {
  const rest = list.filter(({ key }) => key !== row.key)
  const time = row.updatedAt ?? ''
  const before = rest.findIndex((other) => (other.updatedAt ?? '') < time)
  return before < 0 ? [...rest, row] : rest.toSpliced(before, 0, row)
}
