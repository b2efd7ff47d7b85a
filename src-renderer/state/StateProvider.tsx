import { QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ClientContext } from './client.ts'
import type { StartedState } from './start.ts'

/** Gives everything below it the engine and the cache of its answers. */
export function StateProvider({
  client,
  queries,
  children
}: StartedState & { readonly children: ReactNode }): ReactNode {
  return (
    <QueryClientProvider client={queries}>
      <ClientContext value={client}>{children}</ClientContext>
    </QueryClientProvider>
  )
}
