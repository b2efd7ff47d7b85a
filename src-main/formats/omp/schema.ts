import type { EntryKind } from '#shared/model/entry.ts'
import type { JsonObject } from '#shared/model/records.ts'
import type { ByteRange } from '#shared/model/entry.ts'

export type Dialect = 'omp' | 'pi'

/** Every entry type that an agent is known to write, and what we call it. */
export const kindOfType: ReadonlyMap<string, EntryKind> = new Map<string, EntryKind>([
  ['message', 'message'],
  ['thinking_level_change', 'thinking-change'],
  ['model_change', 'model-change'],
  ['compaction', 'compaction'],
  ['branch_summary', 'branch-summary'],
  ['custom', 'custom'],
  ['custom_message', 'custom'],
  ['label', 'label'],
  ['session_info', 'session-info'],
  ['title_change', 'session-info'],
  ['usage', 'usage'],
  ['model_usage', 'usage'],
  ['reset_boundary', 'boundary'],
  ['context_edit', 'event'],
  ['service_tier_change', 'event'],
  ['mode_change', 'event'],
  ['ttsr_injection', 'event'],
  ['session_init', 'event'],
  ['credential_pin', 'event']
])

/** Types that omp alone writes: one of them makes a file an omp file. */
export const ompTypes: ReadonlySet<string> = new Set([
  'model_usage',
  'service_tier_change',
  'mode_change',
  'title_change',
  'ttsr_injection',
  'session_init',
  'credential_pin',
  'reset_boundary'
])

export const newestVersion = 3

export interface Header {
  readonly id: string
  /** 1 where the header names none. */
  readonly version: number
  /** Milliseconds since 1970. */
  readonly time: number | null
  readonly cwd: string | null
  readonly title: string | null
  /** `parentSession`, or `branchedFrom` of the first version: a path or a session id. */
  readonly parent: string | null
  /** omp's `providerPromptCacheKey`. */
  readonly cacheKey: string | null
}

export interface TitleSlot {
  readonly title: string
  readonly source: string | null
}

export interface Lineage {
  readonly id: string | null
  readonly file: string | null
  readonly found: boolean
}

/** What the reader remembers between lines. */
export interface State {
  /** `first`: nothing was parsed yet; `search`: behind a title slot; `open`: the header was found; `none`: there is none. */
  readonly phase: 'first' | 'search' | 'open' | 'none'
  readonly header: Header | null
  readonly slot: TitleSlot | null
  readonly preamble: readonly ByteRange[]
  /** Where the search for a header ended without one. */
  readonly ended: { readonly line: number; readonly offset: number } | null
  readonly bom: boolean
  /** A type or a member that omp alone writes was seen. */
  readonly omp: boolean
  readonly entries: number
  /** Parsed values, the header included: what `firstKeptEntryIndex` counts. */
  readonly values: number
  /** The session file in whose folder this one lies. */
  readonly enclosing: string | null
  readonly lineage: Lineage | null
}

export const emptyState: State = {
  phase: 'first',
  header: null,
  slot: null,
  preamble: [],
  ended: null,
  bom: false,
  omp: false,
  entries: 0,
  values: 0,
  enclosing: null,
  lineage: null
}

export const stateToJson = (state: State): JsonObject => ({ ...state }) as unknown as JsonObject
/** Only what `stateToJson` made comes back from the index, so nothing is checked again. */
export const stateFromJson = (json: JsonObject): State => ({ ...emptyState, ...(json as unknown as Partial<State>) })

/** A tool call as the facts of an assistant's entry hold it: id, name, main argument. */
export type CallFact = readonly [id: string, name: string, argument: string]

/** The few values of an entry that are needed without its content; each only where it applies. */
export interface Facts {
  /** The stored type where the kind does not tell it. */
  readonly type?: string
  /** The assistant's or the change's provider; the model's name is the rest of `EntryRecord.model`. */
  readonly provider?: string
  /** True where a model change is in omp's own form. */
  readonly role?: string
  readonly calls?: readonly CallFact[]
  readonly stop?: string
  /** A tool result's call and tool; the tool of a shell command is named by its role. */
  readonly call?: string
  readonly tool?: string
  readonly error?: boolean
  readonly lines?: number
  readonly exit?: number
  readonly excluded?: boolean
  /** Usage that omp counts, from a task's details. */
  readonly task?: boolean
  /** Names of the files of the task's sub-agents, where its details say them. */
  readonly agents?: readonly string[]
  readonly level?: string | null
  readonly target?: string
  /** Label, name or title that the entry sets; "" clears. */
  readonly name?: string
  /** What a row says of the entry. */
  readonly words?: string
  readonly customType?: string
  readonly kept?: string
  readonly keptIndex?: number
  readonly before?: number
  readonly after?: number
  /** omp: the provider's own replacement stands for the kept range; entries after this one are added. */
  readonly remote?: boolean
  readonly replay?: string
  readonly rollover?: boolean
  /** Position among the parsed values of a first-version file where it is not the entry's own plus one. */
  readonly value?: number
  /** False where a context leaves the entry out by its own nature (no text, content of a wrong kind). */
  readonly empty?: boolean
  /** omp's notes: true where the entry sets them, false where it clears them. */
  readonly notes?: boolean
  /** Its line holds more than this entry, so that the agents lose it. */
  readonly glued?: boolean
  readonly blobs?: boolean
}
