import { QueryClient } from '@tanstack/react-query'
import type { SessionKey } from '#shared/model/keys.ts'
import type { EngineClient } from './client.ts'
import { namedAtStart } from './connect.ts'
import { keys } from './queries.ts'
import { keepLayout } from './settings.ts'
import { followEvents } from './live.ts'
import type { ReachedEngine } from './reach-engine.ts'
import { readingAs } from './reading-as.ts'
import { useApp } from './store.ts'

export interface StartedState {
  readonly client: EngineClient
  readonly queries: QueryClient
}

/** Follows the engine, and selects what the person named on the command line. */
export function startState({ channel, client: plain, kept }: ReachedEngine): StartedState {
  const named = namedAtStart()
  const client = named?.agent ? readingAs(plain, named.session, named.agent) : plain
  const queries = createQueries()
  channel.onClose(() => useApp.getState().disconnect())
  followEvents(client, queries)
  queries.setQueryData(keys.settings, kept)
  const { libraryGroup, librarySort, libraryProject } = kept.settings
  useApp.getState().restoreWidths(kept.settings)
  useApp.getState().putLibrary({ libraryGroup, librarySort, libraryProject })
  keepLayout(client)
  client.on('dialog.asked', ({ dialog }) => useApp.getState().openDialog({ kind: dialog }))
  if (named !== null) {
    useApp.getState().selectSession(named.session)
    if (named.entry !== null) useApp.getState().changeView(named.session, { entry: named.entry })
  }
  keepAddress(named?.session ?? null)
  return { client, queries }
}

/** The page's address names the selected session, as it does at the start: loaded again, the page begins there. */
function keepAddress(named: SessionKey | null): void {
  const atStart = location.search
  useApp.subscribe(({ session }, before) => {
    if (session === null || session === before.session) return
    const search = session === named ? atStart : `?${new URLSearchParams({ session })}`
    history.replaceState(null, '', location.pathname + search)
  })
}

/** The engine answers at once or not at all, and says itself when an answer is out of date. */
function createQueries(): QueryClient {
  const common = { networkMode: 'always', retry: false } as const
  return new QueryClient({
    defaultOptions: {
      queries: {
        ...common,
        staleTime: Infinity,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
        structuralSharing: false
      },
      mutations: common
    }
  })
}
