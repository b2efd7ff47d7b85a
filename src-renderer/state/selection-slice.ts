import type { SessionKey } from '#shared/model/keys.ts'
import type { TreeFilter } from '#shared/tree/filter.ts'
import { toggled } from './toggled.ts'

/** The views of a session in the order of their tabs; the digit keys choose them. */
export const tabs = ['tree', 'transcript', 'context', 'compactions', 'usage', 'raw'] as const
export type Tab = (typeof tabs)[number]

export const tabNames: Readonly<Record<Tab, string>> = {
  tree: 'Tree',
  transcript: 'Transcript',
  context: 'Context',
  compactions: 'Compactions',
  usage: 'Tokens and cache',
  raw: 'Raw'
}

/** What the person chose in one session; null where the session's own default holds. */
export interface SessionView {
  readonly tab: Tab
  readonly entry: string | null
  readonly leaf: string | null
  readonly filter: TreeFilter
  /** Ids of entries whose linear part or branch is folded. */
  readonly folds: ReadonlySet<string>
  /** File that the raw view was sent to, by its position; null for that of the selected entry. */
  readonly file: number | null
  /** Line that the raw view was sent to, counted from 1; null once an entry was chosen. */
  readonly line: number | null
  /** Entry that the selected one's context is compared with; null where it stands alone. */
  readonly compared: string | null
  /** The compaction that is looked at; null for the last one on the path. */
  readonly compaction: string | null
}

export const freshView: SessionView = {
  tab: 'tree',
  entry: null,
  leaf: null,
  filter: 'all',
  folds: new Set(),
  file: null,
  line: null,
  compared: null,
  compaction: null
}

export interface SelectionSlice {
  readonly session: SessionKey | null
  readonly views: Readonly<Record<SessionKey, SessionView>>
  selectSession(session: SessionKey | null): void
  changeView(session: SessionKey, part: Partial<SessionView>): void
  toggleFold(session: SessionKey, entry: string): void
}

type Change = Partial<SelectionSlice> | ((state: SelectionSlice) => Partial<SelectionSlice>)

export const selectionSlice = (set: (change: Change) => void): SelectionSlice => ({
  session: null,
  views: {},
  selectSession: (session) => set({ session }),
  changeView: (session, part) => set((state) => withView(state, session, part)),
  toggleFold: (session, entry) =>
    set((state) => withView(state, session, { folds: toggled(viewOf(state, session).folds, entry) }))
})

export function viewOf(state: Pick<SelectionSlice, 'views'>, session: SessionKey | null): SessionView {
  return (session === null ? undefined : state.views[session]) ?? freshView
}

function withView(state: SelectionSlice, session: SessionKey, part: Partial<SessionView>): Partial<SelectionSlice> {
  return { views: { ...state.views, [session]: { ...viewOf(state, session), ...part } } }
}
