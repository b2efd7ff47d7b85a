import * as v from 'valibot'
import { InternalError, Refusal, type WireError } from '#shared/contract/refusal.ts'
import type { Channel } from './channel.ts'
import type { CallMap, EventMap, EventOf, Handlers } from './types.ts'
import { WireMessage } from './wire.ts'

export interface Server<E extends EventMap> {
  emit<K extends keyof E & string>(name: K, payload: EventOf<E, K>): void
}

/** Logs a bug and returns the id under which it can be found. */
export type ReportBug = (error: unknown, call: string) => string

/** Answers the calls of `contract` on a channel: only own keys, only inputs that pass their schema; a closed channel aborts what runs. */
export function serve<M extends CallMap, E extends EventMap>(
  channel: Channel,
  contract: { readonly calls: M; readonly events: E },
  handlers: Handlers<M>,
  reportBug: ReportBug
): Server<E> {
  const running = new Map<number, AbortController>()
  let open = true
  const post = (message: WireMessage) => {
    if (open) channel.post(message)
  }

  const answer = async (id: number, name: string, input: unknown) => {
    const controller = new AbortController()
    running.set(id, controller)
    try {
      const output = await dispatch(contract.calls, handlers, name, input, controller.signal)
      if (!controller.signal.aborted) post({ kind: 'result', id, output })
    } catch (error) {
      if (!controller.signal.aborted) post({ kind: 'error', id, error: errorToWire(error, name, reportBug) })
    } finally {
      running.delete(id)
    }
  }

  channel.onMessage((raw) => {
    const parsed = v.safeParse(WireMessage, raw)
    if (!parsed.success) return
    const message = parsed.output
    if (message.kind === 'call' && !running.has(message.id)) void answer(message.id, message.name, message.input)
    else if (message.kind === 'cancel') running.get(message.id)?.abort()
  })
  channel.onClose(() => {
    open = false
    for (const controller of running.values()) controller.abort()
  })

  return { emit: (name, payload) => post({ kind: 'event', name, payload }) }
}

async function dispatch<M extends CallMap>(
  calls: M,
  handlers: Handlers<M>,
  name: string,
  input: unknown,
  signal: AbortSignal
): Promise<unknown> {
  const call = Object.hasOwn(calls, name) ? calls[name] : undefined
  const handler = Object.hasOwn(handlers, name) ? handlers[name] : undefined
  if (call === undefined || handler === undefined) throw new Refusal('unsupported', `There is no call ${name}.`)
  const checked = v.safeParse(call.input, input)
  if (!checked.success) throw new Refusal('invalid-input', `${name}: ${v.summarize(checked.issues)}`)
  return handler(checked.output as never, signal)
}

function errorToWire(error: unknown, call: string, reportBug: ReportBug): WireError {
  if (error instanceof Refusal) {
    const { code, message, file, entry, nearest } = error
    return { kind: 'refusal', code, message, file, entry, nearest: [...nearest] }
  }
  if (error instanceof InternalError) return { kind: 'internal', id: error.id, message: error.message }
  const id = reportBug(error, call)
  return { kind: 'internal', id, message: `Treeline made a mistake in ${call} (${id}). The log has the details.` }
}
