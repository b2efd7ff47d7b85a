import type * as v from 'valibot'

type Schema = v.GenericSchema<unknown, unknown>
export type Call = { readonly input: Schema; readonly output: Schema }
export type CallMap = Readonly<Record<string, Call>>
export type EventMap = Readonly<Record<string, Schema>>

export type InputOf<M extends CallMap, K extends keyof M> = v.InferOutput<M[K]['input']>
export type OutputOf<M extends CallMap, K extends keyof M> = v.InferOutput<M[K]['output']>
export type EventOf<E extends EventMap, K extends keyof E> = v.InferOutput<E[K]>

/** One handler for each call; the compiler refuses a map that lacks one. */
export type Handlers<M extends CallMap> = {
  readonly [K in keyof M]: (input: InputOf<M, K>, signal: AbortSignal) => Promise<OutputOf<M, K>> | OutputOf<M, K>
}
