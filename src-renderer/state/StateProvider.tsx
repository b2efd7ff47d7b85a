import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ClientContext, type EngineClient } from './client.ts'

/** The engine answers at once or not at all, and says itself when an answer is out of date. */
export function createQueries(): QueryClient {
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

export function StateProvider(props: {
  readonly client: EngineClient
  readonly queries: QueryClient
  readonly children: ReactNode
}): ReactNode {
  return (
    <QueryClientProvider client={props.queries}>
      <ClientContext value={props.client}>{props.children}</ClientContext>
    </QueryClientProvider>
  )
}
