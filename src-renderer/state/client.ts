import { createContext, useContext } from 'react'
import type { Calls, Events } from '#shared/contract/contract.ts'
import type { Client } from '#shared/rpc/client.ts'
import type { InputOf, OutputOf } from '#shared/rpc/types.ts'

export type EngineClient = Client<Calls, Events>
export type CallName = keyof Calls & string
export type Input<K extends CallName> = InputOf<Calls, K>
export type Output<K extends CallName> = OutputOf<Calls, K>

export const ClientContext = createContext<EngineClient | null>(null)

export function useClient(): EngineClient {
  const client = useContext(ClientContext)
  if (client === null) throw new Error('No engine client above this component')
  return client
}
