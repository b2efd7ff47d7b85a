import type { QueryClient } from '@tanstack/react-query'
import type { SessionKey } from '#shared/model/keys.ts'
import type { EngineClient, Output } from './client.ts'
import { keys } from './queries.ts'

const gatherFor = 150
const patchAtMost = 20

/**
 * Keeps the cache in step with the engine's events. Changes are gathered for a moment; a few of them are patched into
 * the list of sessions, many make it be asked for again. What is asked for is waited for before more is asked, and then
 * rested twice as long: a list of thousands that changes all the time still arrives, and leaves the engine its time.
 */
export function followEvents(client: EngineClient, queries: QueryClient): void {
  const changed = new Set<SessionKey>()
  let folders = false
  let isWaiting = false

  const flush = async () => {
    const sessions = [...changed]
    changed.clear()
    const isWhole = folders || sessions.length > patchAtMost
    const asked = sessions.map((session) => queries.invalidateQueries({ queryKey: keys.session(session), exact: true }))
    if (folders) asked.push(queries.invalidateQueries({ queryKey: keys.folders }))
    if (isWhole) asked.push(queries.invalidateQueries({ queryKey: keys.sessions }))
    else asked.push(...sessions.map(patch))
    folders = false
    const start = performance.now()
    await Promise.all(asked)
    isWaiting = false
    if (changed.size > 0 || folders) later(Math.max(gatherFor, 2 * (performance.now() - start)))
  }
  const later = (after = gatherFor) => {
    if (isWaiting) return
    isWaiting = true
    setTimeout(() => void flush(), after)
  }
  const patch = async (session: SessionKey) => {
    try {
      const row = await client.call('session.get', { session })
      queries.setQueryData<Output<'session.list'>>(keys.sessions, (list) => list && withRow(list, row))
    } catch {
      await queries.invalidateQueries({ queryKey: keys.sessions })
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
  client.on('session.gone', ({ session }) => {
    changed.add(session)
    folders = true
    later()
  })
}

/** The list with this row in its place, newest first. */
export function withRow(list: Output<'session.list'>, row: Output<'session.get'>): Output<'session.list'> {
  const rest = list.filter(({ key }) => key !== row.key)
  const time = row.updatedAt ?? ''
  const before = rest.findIndex((other) => (other.updatedAt ?? '') < time)
  return before < 0 ? [...rest, row] : rest.toSpliced(before, 0, row)
}
