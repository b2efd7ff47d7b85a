import {
  type UseMutationResult,
  type UseQueryResult,
  useMutation,
  useQuery,
  useQueryClient
} from '@tanstack/react-query'
import { type EngineClient, type Input, type Output, useClient } from './client.ts'
import { keys } from './queries.ts'
import { type AppState, useApp } from './store.ts'

export function useSettings(): UseQueryResult<Output<'settings.get'>> {
  const client = useClient()
  return useQuery({ queryKey: keys.settings, queryFn: ({ signal }) => client.call('settings.get', {}, signal) })
}

/** Changes settings; what is changed is seen at once, and taken back where it cannot be kept. */
export function useChangeSettings(): UseMutationResult<Output<'settings.set'>, Error, Input<'settings.set'>> {
  const client = useClient()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (part: Input<'settings.set'>) => client.call('settings.set', part),
    onMutate: (part) => {
      // What was asked for before does not know of it yet; the engine says when to ask again.
      void queries.cancelQueries({ queryKey: keys.settings })
      queries.setQueryData<Output<'settings.get'>>(
        keys.settings,
        (before) => before && { ...before, settings: { ...before.settings, ...part } }
      )
    },
    onError: () => queries.invalidateQueries({ queryKey: keys.settings })
  })
}

const rowHeights = { comfortable: 26, compact: 22 } as const

/** Height of a row in CSS pixels, the same as `--row`. */
export function useRowHeight(): number {
  return rowHeights[useSettings().data?.settings.density ?? 'comfortable']
}

const settleFor = 400

const layoutMembers = ['libraryWidth', 'inspectorWidth', 'libraryGroup', 'librarySort', 'libraryProject'] as const
type Layout = Pick<AppState, (typeof layoutMembers)[number]>

/** Keeps how the window is put: the first change at once, then again when the person stops changing it. Where it cannot be kept, it holds for this window. */
export function keepLayout(client: EngineClient): void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let kept: Layout = useApp.getState()
  const keep = (): void => {
    const now: Layout = useApp.getState()
    const changed = layoutMembers.filter((member) => now[member] !== kept[member])
    kept = now
    if (changed.length === 0) return
    // Only what this window changed: another may have put the rest otherwise.
    client
      .call('settings.set', Object.fromEntries(changed.map((member) => [member, now[member]])))
      .catch(() => undefined)
  }
  useApp.subscribe((now, before) => {
    if (layoutMembers.every((member) => now[member] === before[member])) return
    if (timer === undefined) keep()
    clearTimeout(timer)
    timer = setTimeout(() => {
      timer = undefined
      keep()
    }, settleFor)
  })
  // A window that is closed or loaded anew while they change keeps them too.
  addEventListener('pagehide', keep)
}
