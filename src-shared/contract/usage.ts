import * as v from 'valibot'
import { AgentId } from '#shared/model/agent.ts'
import { SessionKey } from '#shared/model/keys.ts'
import { Usage } from '#shared/model/usage.ts'
import type { CallMap } from '#shared/rpc/types.ts'
import { sessionInput } from './session.ts'

const numbers = v.array(v.number())
const counts = v.array(v.nullable(v.number()))

const markerKinds = ['compaction', 'model', 'branch', 'cleared'] as const

/** What is a session's own, its `inherited` left at the tokens of what a fork repeats from its parent; that; and calls beside the conversation. */
const OwnAndRest = v.object({ own: Usage, repeated: Usage, beside: Usage })

/** Numbers of `Requests.kinds`. */
export const requestKinds = ['answer', 'attempt', 'auxiliary', 'compaction', 'subagent'] as const
export type RequestKind = (typeof requestKinds)[number]

/**
 * Requests in columns, in the order of the path or of the file, so that 100,000 of them cross a channel cheaply. Index
 * i of each column is the i-th request. Figures are as recorded; null is unknown, and so is a place that a column does
 * not have: where nothing is known it is empty.
 */
export const Requests = v.object({
  /** Position in the session's outline. */
  at: numbers,
  /** Milliseconds since 1970. */
  times: counts,
  /** Index into `modelNames`, or -1. */
  models: numbers,
  modelNames: v.array(v.string()),
  /** Tokens that each model takes in all, by `modelNames`; null where unknown. */
  windows: counts,
  input: counts,
  cacheRead: counts,
  cacheWrite: counts,
  output: counts,
  reasoning: counts,
  total: counts,
  cost: counts,
  /** Tokens in the context once the answer was given; null for what is no answer, and where nothing was recorded. */
  contextTokens: counts,
  /** 1 for what a fork repeats from its parent; empty where there is nothing of that. */
  inherited: numbers,
  /** How many requests its figures are of; empty where each is one. */
  requests: numbers,
  /**
   * Index into `requestKinds`: whether it gave an answer, gave none, was made beside the conversation, for a compaction
   * or by a sub-agent; empty where all gave answers.
   */
  kinds: numbers,
  /** What happened on the path in front of a request (its index; the number of requests for what follows the last). */
  markers: v.array(v.object({ before: v.number(), kind: v.picklist(markerKinds), at: v.number() })),
  /** Of these requests together; of the whole session with all branches. */
  totals: OwnAndRest,
  session: OwnAndRest
})
export type Requests = v.InferOutput<typeof Requests>

/**
 * What became of the requests that were asked about: each column, and the markers, go on behind as many as are `kept` of
 * those, none where they are not known any more.
 */
export const RequestsChange = v.object({
  ...Requests.entries,
  /** Of the session, when they were. */
  revision: v.number(),
  kept: v.object({ requests: v.number(), markers: v.number() })
})
export type RequestsChange = v.InferOutput<typeof RequestsChange>

export const groupings = ['session', 'day', 'model', 'project', 'agent'] as const
export type Grouping = (typeof groupings)[number]

/** Usage of what has the same key; the key is null where that is unknown. */
export const UsageGroup = v.object({
  key: v.nullable(v.string()),
  /** Of a session: its file. */
  file: v.optional(v.string()),
  ...Usage.entries
})
export type UsageGroup = v.InferOutput<typeof UsageGroup>

export const UsageStats = v.object({ totals: Usage, groups: v.array(UsageGroup) })
export type UsageStats = v.InferOutput<typeof UsageStats>

export const usageCalls = {
  /** Every request of the file; with `entry` those on the path to it, of which `since` names what is known already. */
  'usage.requests': {
    input: v.object({
      ...sessionInput,
      entry: v.optional(v.string()),
      since: v.optional(v.object({ revision: v.number(), entry: v.string() }))
    }),
    output: RequestsChange
  },
  /** What sessions spent together. What one repeats of another is counted once and else stands as inherited. */
  'usage.stats': {
    input: v.object({
      sessions: v.array(SessionKey),
      agent: v.optional(AgentId),
      by: v.nullable(v.picklist(groupings))
    }),
    output: UsageStats
  }
} as const satisfies CallMap
