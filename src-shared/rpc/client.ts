import * as v from 'valibot'
import { InternalError, Refusal, type WireError } from '#shared/contract/refusal.ts'
import type { Channel } from './channel.ts'
import type { CallMap, EventMap, EventOf, InputOf, OutputOf } from './types.ts'
import { WireMessage } from './wire.ts'

export interface Client<M extends CallMap, E extends EventMap> {
  /** Rejects with a `Refusal` or an `InternalError`; with `disconnected` once the channel has closed. */
  call<K extends keyof M & string>(name: K, input: InputOf<M, K>, signal?: AbortSignal): Promise<OutputOf<M, K>>
  /** Returns the function that ends the subscription. */
  on<K extends keyof E & string>(name: K, listener: (payload: EventOf<E, K>) => void): () => void
}

interface Pending {
  readonly resolve: (output: unknown) => void
  readonly reject: (error: Error) => void
}

export function createClient<M extends CallMap, E extends EventMap>(channel: Channel): Client<M, E> {
  const pending = new Map<number, Pending>()
  const listeners = new Map<string, Set<(payload: unknown) => void>>()
  let nextId = 1
  let closed = false

  const settle = (id: number): Pending | undefined => {
    const waiting = pending.get(id)
    pending.delete(id)
    return waiting
  }

  channel.onMessage((raw) => {
    const parsed = v.safeParse(WireMessage, raw)
    if (!parsed.success) return
    const message = parsed.output
    if (message.kind === 'result') settle(message.id)?.resolve(message.output)
    else if (message.kind === 'error') settle(message.id)?.reject(errorFromWire(message.error))
    else if (message.kind === 'event') listeners.get(message.name)?.forEach((listener) => listener(message.payload))
  })
  channel.onClose(() => {
    closed = true
    for (const id of pending.keys()) settle(id)?.reject(disconnected())
  })

  return {
    call(name, input, signal) {
      if (closed) return Promise.reject(disconnected())
      if (signal?.aborted) return Promise.reject(cancelled(name))
      const id = nextId++
      // The promise's type is the contract's: replies are checked in tests, not on each call.
      return new Promise<never>((resolve, reject) => {
        const cancel = () => {
          if (settle(id) === undefined) return
          channel.post({ kind: 'cancel', id })
          reject(cancelled(name))
        }
        const done = () => signal?.removeEventListener('abort', cancel)
        // First of all: an input that cannot be sent throws here, and nothing waits for its answer.
        channel.post({ kind: 'call', id, name, input })
        pending.set(id, {
          resolve: (output) => (done(), resolve(output as never)),
          reject: (error) => (done(), reject(error))
        })
        signal?.addEventListener('abort', cancel)
      })
    },
    on(name, listener) {
      const set = listeners.get(name) ?? new Set()
      listeners.set(name, set.add(listener as (payload: unknown) => void))
      return () => void set.delete(listener as (payload: unknown) => void)
    }
  }
}

function errorFromWire(error: WireError): Error {
  if (error.kind === 'internal') return new InternalError(error.id, error.message)
  return new Refusal(error.code, error.message, error)
}

const disconnected = () => new Refusal('disconnected', 'The engine has ended. Start it again.')
const cancelled = (name: string) => new Refusal('cancelled', `${name} was cancelled.`)
