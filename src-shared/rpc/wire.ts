import * as v from 'valibot'
import { WireError } from '#shared/contract/refusal.ts'

/** Every message that crosses a channel, both directions. */
export const WireMessage = v.variant('kind', [
  v.object({ kind: v.literal('call'), id: v.number(), name: v.string(), input: v.unknown() }),
  v.object({ kind: v.literal('cancel'), id: v.number() }),
  v.object({ kind: v.literal('result'), id: v.number(), output: v.unknown() }),
  v.object({ kind: v.literal('error'), id: v.number(), error: WireError }),
  v.object({ kind: v.literal('event'), name: v.string(), payload: v.unknown() })
])
export type WireMessage = v.InferOutput<typeof WireMessage>
