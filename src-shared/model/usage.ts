import * as v from 'valibot'

const count = v.nullable(v.number())

/**
 * Tokens and US dollars as recorded. A member is null only if there are requests and none has it
 * (docs/command-line.md, Usage).
 */
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
  unknown: v.number(),
  /** Tokens of calls beside the conversation (summaries, titles) that the agent's own meter leaves out; not in the other members. */
  auxiliary: v.optional(v.number())
})
export type Usage = v.InferOutput<typeof Usage>

/** A request of which nothing was recorded. */
export const unknownUsage: Usage = {
  requests: 1,
  input: null,
  cacheRead: null,
  cacheWrite: null,
  output: null,
  reasoning: null,
  total: null,
  cost: null,
  inherited: 0,
  unknown: 1
}

const members = ['input', 'cacheRead', 'cacheWrite', 'output', 'reasoning', 'total', 'cost'] as const

/** Sum of what was recorded: a member is null only where there are requests and none has it, and 0 without any request. */
export function sumUsage(parts: Iterable<Usage>): Usage {
  let requests = 0
  let inherited = 0
  let unknown = 0
  let auxiliary: number | undefined
  const sums: { [name in (typeof members)[number]]: number | null } = {
    input: null,
    cacheRead: null,
    cacheWrite: null,
    output: null,
    reasoning: null,
    total: null,
    cost: null
  }
  for (const usage of parts) {
    requests += usage.requests
    inherited += usage.inherited
    unknown += usage.unknown
    if (usage.auxiliary !== undefined) auxiliary = (auxiliary ?? 0) + usage.auxiliary
    if (usage.requests === 0) continue
    for (const member of members) {
      const value = usage[member]
      if (value !== null) sums[member] = (sums[member] ?? 0) + value
    }
  }
  if (requests === 0) for (const member of members) sums[member] = 0
  // A store that counts what it read from its cache into the prompt may have said too much of it; sums are cut last.
  if (sums.input !== null) sums.input = Math.max(0, sums.input)
  return { requests, ...sums, inherited, unknown, ...(auxiliary !== undefined && { auxiliary }) }
}

/** A request as it counts in a sum. */
export function countedUsage(usage: Usage, isInherited: boolean, isAuxiliary: boolean): Usage {
  if (isAuxiliary) return { ...sumUsage([]), ...(!isInherited && { auxiliary: usage.total ?? 0 }) }
  return isInherited ? inheritedUsage(usage) : usage
}

/** A request that is counted elsewhere: nothing but its tokens, as inherited. */
export const inheritedUsage = ({ total }: Usage): Usage => ({ ...sumUsage([]), inherited: total ?? 0 })

/** Share of the prompt that was read from the cache, 0 to 1; null where the provider says nothing of a cache, or of the prompt. */
export function hitRate({
  input,
  cacheRead,
  cacheWrite
}: Pick<Usage, 'input' | 'cacheRead' | 'cacheWrite'>): number | null {
  const prompt = (input ?? 0) + (cacheRead ?? 0) + (cacheWrite ?? 0)
  return (cacheRead === null && cacheWrite === null) || prompt === 0 ? null : (cacheRead ?? 0) / prompt
}
