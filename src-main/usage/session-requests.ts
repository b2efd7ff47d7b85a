import type { Format, MeteredRequest, SessionView } from '#main/formats/format.ts'
import { type Requests, requestKinds } from '#shared/contract/usage.ts'
import { countedUsage, sumUsage, type Usage } from '#shared/model/usage.ts'
import { modelWindow } from './model-windows.ts'

type Columns = { -readonly [K in keyof Requests]: Requests[K] }

/** A request with its figures, as the session's meter counts it. */
export interface Metered extends MeteredRequest {
  readonly usage: Usage
}

export function meteredRequests(format: Format, { records, tree }: SessionView): readonly Metered[] {
  const metered: Metered[] = []
  for (const request of format.requests(records, tree)) {
    const usage = request.usage ?? records.entries[request.at]?.usage ?? null
    if (usage !== null) metered.push({ ...request, usage })
  }
  return metered
}

/** A session's requests in columns; `path` are the indexes of the entries to look at, null for the whole file. */
export function sessionRequests(format: Format, view: SessionView, path: readonly number[] | null): Requests {
  const all = meteredRequests(format, view)
  const chosen = path === null ? all : requestsOn(path, all, view.records.entries.length)
  const columns = emptyColumns()
  const modelIndex = new Map<string, number>()
  const largest: number[] = []
  const recorded: number[] = []
  for (const { at, inherited, contextTokens, usage, kind = 'answer', window } of chosen) {
    const record = view.records.entries[at]
    const model = record?.model ?? null
    if (model !== null && !modelIndex.has(model)) modelIndex.set(model, columns.modelNames.push(model) - 1)
    const index = model === null ? -1 : (modelIndex.get(model) ?? -1)
    if (index >= 0) largest[index] = Math.max(largest[index] ?? 0, contextTokens ?? 0)
    if (index >= 0 && window !== undefined) recorded[index] = window
    columns.at.push(at)
    columns.times.push(record?.time ?? null)
    columns.models.push(index)
    for (const member of usageMembers) columns[member].push(usage[member])
    columns.contextTokens.push(contextTokens)
    columns.inherited.push(inherited ? 1 : 0)
    columns.requests.push(usage.requests)
    columns.kinds.push(requestKinds.indexOf(kind))
  }
  for (const member of members) if (columns[member].every((figure) => figure === null)) columns[member] = []
  if (!columns.inherited.includes(1)) columns.inherited = []
  if (columns.requests.every((requests) => requests === 1)) columns.requests = []
  if (columns.kinds.every((kind) => kind === 0)) columns.kinds = []
  columns.windows = columns.modelNames.map((model, index) => recorded[index] ?? modelWindow(model, largest[index] ?? 0))
  columns.markers = path === null ? [] : markersOn(view, path, columns)
  columns.session = sumOf(all)
  columns.totals = chosen.length === all.length ? columns.session : sumOf(chosen)
  return columns
}

/** In the order of the path. */
function requestsOn(path: readonly number[], all: readonly Metered[], entries: number): readonly Metered[] {
  const requestOf = new Int32Array(entries).fill(-1)
  for (const [index, { at }] of all.entries()) requestOf[at] = index
  const chosen: Metered[] = []
  for (const at of path) {
    const request = all[requestOf[at] ?? -1]
    if (request !== undefined) chosen.push(request)
  }
  return chosen
}

const usageMembers = ['input', 'cacheRead', 'cacheWrite', 'output', 'reasoning', 'total', 'cost'] as const
const members = [...usageMembers, 'contextTokens'] as const

function sumOf(requests: readonly Metered[]): Requests['totals'] {
  const [own, repeated, beside]: [Usage[], Usage[], Usage[]] = [[], [], []]
  for (const { usage, inherited, kind } of requests) {
    const isAuxiliary = kind === 'auxiliary'
    own.push(countedUsage(usage, inherited, isAuxiliary))
    if (inherited && !isAuxiliary) repeated.push(usage)
    if (!inherited && isAuxiliary) beside.push(usage)
  }
  return { own: sumUsage(own), repeated: sumUsage(repeated), beside: sumUsage(beside) }
}

const emptyColumns = (): Columns => ({
  at: [],
  times: [],
  models: [],
  modelNames: [],
  windows: [],
  input: [],
  cacheRead: [],
  cacheWrite: [],
  output: [],
  reasoning: [],
  total: [],
  cost: [],
  contextTokens: [],
  inherited: [],
  requests: [],
  kinds: [],
  markers: [],
  totals: sumOf([]),
  session: sumOf([])
})

/**
 * Where a path was compacted or cleared, where its answers come from another model, and where it leaves what was first
 * written behind the same entry.
 */
function markersOn({ records, tree }: SessionView, path: readonly number[], columns: Columns): Requests['markers'] {
  const firstChild = new Int32Array(tree.nodes.length).fill(-1)
  tree.nodes.forEach(({ parent }, at) => {
    if (firstChild[parent] === -1) firstChild[parent] = at
  })
  const requestOf = new Int32Array(tree.nodes.length).fill(-1)
  columns.at.forEach((at, index) => (requestOf[at] = index))
  const markers: Requests['markers'] = []
  let next = 0
  let model = -1
  for (const at of path) {
    const entry = records.entries[at]
    const parent = tree.nodes[at]?.parent ?? -1
    const before = next
    if (parent >= 0 && firstChild[parent] !== at) markers.push({ before, kind: 'branch', at })
    if (entry?.kind === 'compaction') markers.push({ before, kind: 'compaction', at })
    if (entry?.kind === 'boundary') markers.push({ before, kind: 'cleared', at })
    const request = requestOf[at] ?? -1
    if (request === -1) continue
    next = request + 1
    const own = entry?.role === 'assistant' ? (columns.models[request] ?? -1) : -1
    if (own >= 0 && model >= 0 && own !== model) markers.push({ before: request, kind: 'model', at })
    if (own >= 0) model = own
  }
  return markers
}
