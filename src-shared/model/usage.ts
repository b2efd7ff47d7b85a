import * as v from 'valibot'

const count = v.nullable(v.number())

/** Tokens and US dollars as recorded. A member is null only if there are requests and none has it (CLI.md, Usage). */
export const Usage = v.object({
  requests: v.number(),
  /** Prompt tokens neither read from nor written to the cache. */
  input: count,
  cacheRead: count,
  cacheWrite: count,
  output: count,
  /** Part of `output`. */
  reasoning: count,
  /** input + cacheRead + cacheWrite + output. */
  total: count,
  cost: count,
  /** Tokens that a fork repeats from its parent; not in the other members. */
  inherited: v.number(),
  /** Requests without recorded usage. */
  unknown: v.number()
})
export type Usage = v.InferOutput<typeof Usage>
