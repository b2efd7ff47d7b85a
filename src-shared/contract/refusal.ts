import * as v from 'valibot'

/** Everything the engine may decline with. Closed: the window and the command line handle each. */
export const refusalCodes = [
  'not-found',
  'stale',
  'unsupported',
  'read-only',
  'invalid-input',
  'cancelled',
  'disconnected',
  'not-resumable',
  'exists'
] as const
export type RefusalCode = (typeof refusalCodes)[number]

/** What crosses the channel instead of a result: a refusal, or a bug of ours under its id. */
export const WireError = v.variant('kind', [
  v.object({
    kind: v.literal('refusal'),
    code: v.picklist(refusalCodes),
    /** What happened, where, and what to do. */
    message: v.string(),
    file: v.nullable(v.string()),
    entry: v.nullable(v.string()),
    /** The nearest entries where the same request would be accepted; where there is no such entry, those of nearest id. */
    nearest: v.array(v.string())
  }),
  v.object({ kind: v.literal('internal'), id: v.string(), message: v.string() })
])
export type WireError = v.InferOutput<typeof WireError>

export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly code: RefusalCode
  readonly file: string | null
  readonly entry: string | null
  readonly nearest: readonly string[]

  constructor(
    code: RefusalCode,
    message: string,
    at: { file?: string | null; entry?: string | null; nearest?: readonly string[] } = {}
  ) {
    super(message)
    this.code = code
    this.file = at.file ?? null
    this.entry = at.entry ?? null
    this.nearest = at.nearest ?? []
  }
}

/** A bug of ours, as the caller sees it; the id finds the stack in the log. */
export class InternalError extends Error {
  override readonly name = 'InternalError'
  readonly id: string

  constructor(id: string, message: string) {
    super(message)
    this.id = id
  }
}
