import {
  type UseMutationResult,
  type UseQueryResult,
  useMutation,
  useQuery,
  useQueryClient
} from '@tanstack/react-query'
import { type EngineClient, type Input, type Output, useClient } from './client.ts'
import { keys } from './queries.ts'
import { useApp } from './store.ts'

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
    onMutate: (part) =>
      queries.setQueryData<Output<'settings.get'>>(
        keys.settings,
        (before) => before && { ...before, settings: { ...before.settings, ...part } }
      ),
    onError: () => queries.invalidateQueries({ queryKey: keys.settings })
  })
}

const rowHeights = { comfortable: 26, compact: 22 } as const

/** Height of a row in CSS pixels, the same as `--row`. */
export function useRowHeight(): number {
  return rowHeights[useSettings().data?.settings.density ?? 'comfortable']
}

const settleFor = 400

/** Keeps the widths of the panes: the first change at once, then again when the person stops moving them. Where they cannot be kept, they hold for this window. */
export function keepWidths(client: EngineClient): void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isKept = true
  const keep = (): void => {
    if (isKept) return
    isKept = true
    const { libraryWidth, inspectorWidth } = useApp.getState()
    client.call('settings.set', { libraryWidth, inspectorWidth }).catch(() => undefined)
  }
  useApp.subscribe(({ libraryWidth, inspectorWidth }, before) => {
    if (libraryWidth === before.libraryWidth && inspectorWidth === before.inspectorWidth) return
    isKept = false
    if (timer === undefined) keep()
    clearTimeout(timer)
    timer = setTimeout(() => {
      timer = undefined
      keep()
    }, settleFor)
  })
  // A window that is closed or loaded anew while they move keeps them too.
  addEventListener('pagehide', keep)
}
