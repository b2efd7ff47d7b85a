import {
  keepPreviousData,
  queryOptions,
  skipToken,
  useInfiniteQuery,
  useQueries,
  useQuery,
  useQueryClient
} from '@tanstack/react-query'
import type { QueryClient, UseQueryResult } from '@tanstack/react-query'
import { useCallback } from 'react'
import { rowsAPage } from '#shared/contract/entry.ts'
import type { RawLine } from '#shared/contract/session.ts'
import type { EntryRow, Outline } from '#shared/model/entry.ts'
import type { FolderKey, SessionKey } from '#shared/model/keys.ts'
import { type CallName, type EngineClient, type Input, type Output, useClient } from './client.ts'
import { askOutline } from './ask-outline.ts'
import { viewOf } from './selection-slice.ts'
import { useApp } from './store.ts'

/** Calls about one session; what they answer holds for one revision of it. */
type SessionCall = {
  [K in CallName]: Input<K> extends { readonly session: SessionKey } ? K : never
}[CallName]

export const keys = {
  app: ['app'],
  engine: ['engine'],
  settings: ['settings'],
  folders: ['folders'],
  sessions: ['sessions'],
  session: (session: SessionKey | null): readonly unknown[] => ['session', session],
  atRevision: (session: SessionKey | null, revision: number | undefined, ...rest: readonly unknown[]) => [
    'session',
    session,
    revision,
    ...rest
  ]
} as const

export function useAppInfo(): UseQueryResult<Output<'app.info'>> {
  const client = useClient()
  return useQuery({ queryKey: keys.app, queryFn: ({ signal }) => client.call('app.info', {}, signal) })
}

/** Whether a part of the engine has ended by itself. */
export function useEngineState(): UseQueryResult<Output<'engine.state'>> {
  const client = useClient()
  return useQuery({ queryKey: keys.engine, queryFn: ({ signal }) => client.call('engine.state', {}, signal) })
}

export function useFolders(): UseQueryResult<Output<'folder.list'>> {
  const client = useClient()
  return useQuery({ queryKey: keys.folders, queryFn: ({ signal }) => client.call('folder.list', {}, signal) })
}

export function useSessions(): UseQueryResult<Output<'session.list'>> {
  const client = useClient()
  return useQuery({ queryKey: keys.sessions, queryFn: ({ signal }) => client.call('session.list', {}, signal) })
}

/** The session's row; an error that is a `not-found` refusal means that its file is gone. */
export function useSession(session: SessionKey | null): UseQueryResult<Output<'session.get'>> {
  const client = useClient()
  return useQuery({
    queryKey: keys.session(session),
    queryFn:
      session === null
        ? skipToken
        : async ({ signal, client: queries }) => {
            const row = await client.call('session.get', { session }, signal)
            // The first outline is on its way while what the row says is drawn.
            if (latestOutline(queries, session) === undefined) {
              void queries.prefetchQuery(outlineQuery(client, session, row.revision))
            }
            return row
          }
  })
}

interface CallOptions {
  /** Milliseconds. */
  readonly keep?: number
  /** Whether the entry asked about moves on with a session that grows: the answer about the one before stays meanwhile. */
  readonly movesOn?: boolean
}

/**
 * Asks once for each revision of the outline, from which the entries that are asked about come; while a newer answer is
 * on its way the older one of the same question stays.
 */
export function useSessionCall<K extends SessionCall>(
  name: K,
  input: (Input<K> & { readonly session: SessionKey }) | null,
  { keep = 30_000, movesOn = false }: CallOptions = {}
): UseQueryResult<Output<K>> {
  const client = useClient()
  const revision = useOutline(input?.session ?? null).data?.revision
  const question = JSON.stringify(input)
  return useQuery({
    queryKey: input === null ? ['session', null, name] : keys.atRevision(input.session, revision, name, question),
    queryFn: input === null || revision === undefined ? skipToken : ({ signal }) => client.call(name, input, signal),
    placeholderData: (before, query) =>
      query?.queryKey[4] === question || (movesOn && isOfGrowth(query?.queryKey, input?.session, revision))
        ? before
        : undefined,
    gcTime: keep
  })
}

/** Whether what was asked before was asked of the same session when it was another: not the person chose something else. */
export const isOfGrowth = (
  asked: readonly unknown[] | undefined,
  session: SessionKey | undefined,
  revision: number | undefined
): boolean => asked !== undefined && asked[1] === session && asked[2] !== revision

/** The session's outline; of one that has changed only what is new is fetched. */
export function useOutline(session: SessionKey | null): UseQueryResult<Outline> {
  const client = useClient()
  const revision = useSession(session).data?.revision
  return useQuery({
    ...(session === null || revision === undefined
      ? { queryKey: keys.atRevision(session, revision, 'session.outline'), queryFn: skipToken }
      : outlineQuery(client, session, revision)),
    placeholderData: (before, query) => (query?.queryKey[1] === session ? before : undefined)
  })
}

const outlineQuery = (client: EngineClient, session: SessionKey, revision: number) =>
  queryOptions({
    queryKey: keys.atRevision(session, revision, 'session.outline'),
    queryFn: ({ signal, client: queries }) =>
      askOutline(
        client,
        session,
        {
          held: latestOutline(queries, session),
          leaf: viewOf(useApp.getState(), session).leaf,
          onArrival: (outline) => askRowsNearby(client, queries, session, outline)
        },
        signal
      ),
    gcTime: 30_000
  })

function latestOutline(queries: QueryClient, session: SessionKey): Outline | undefined {
  const held = queries.getQueriesData<Outline>({
    queryKey: keys.session(session),
    predicate: ({ queryKey }) => queryKey[3] === 'session.outline'
  })
  return held
    .flatMap(([, outline]) => outline ?? [])
    .toSorted((one, other) => one.revision - other.revision)
    .at(-1)
}

export const useFaults = (session: SessionKey | null) => useSessionCall('session.faults', session && { session })

export const useEntryDetail = (session: SessionKey | null, entry: string | null) =>
  useSessionCall('entry.detail', session && entry ? { session, entry } : null, { movesOn: true })

export const useEntryImage = (session: SessionKey, entry: string, block: number, wanted: boolean) =>
  useSessionCall('entry.image', wanted ? { session, entry, block } : null)

/** The session's files, the main one first. */
export const useSessionFiles = (session: SessionKey) => useSessionCall('session.files', { session })

/** Previews are forgotten when their dialog closes: what they say of the target may change without the session. */
export const useBranchPreview = (input: Input<'branch.preview'> | null) =>
  useSessionCall('branch.preview', input, { keep: 0 })

export const useExportPreview = (input: Input<'export.preview'>) => useSessionCall('export.preview', input, { keep: 0 })

/** Rows at these positions of an outline, as far as they have arrived. Fetched by pages, so any order is cheap. */
export function useEntryRows(
  session: SessionKey,
  outline: Outline | undefined,
  at: readonly number[]
): ReadonlyMap<number, EntryRow> {
  const client = useClient()
  const queries = useQueryClient()
  return useQueries({
    queries:
      outline === undefined
        ? []
        : pagesOf(at).map((page) => ({
            ...rowsQuery(client, session, outline, page),
            placeholderData: () => rowsBefore(queries, session, page)
          })),
    combine: rowsByPosition
  })
}

/** The last first: there the entry appears that a session has grown by. */
const pagesOf = (at: readonly number[]): readonly number[] =>
  [...new Set(at.map((position) => Math.floor(position / rowsAPage)))].toSorted((a, b) => b - a)

const rowsQuery = (client: EngineClient, session: SessionKey, outline: Outline, page: number) => ({
  queryKey: keys.atRevision(session, outline.revision, 'entry.rows', page),
  queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
    client.call('entry.rows', { session, at: positionsOnPage(page, outline.ids.length) }, signal),
  gcTime: 30_000
})

/** Rows on either side of the selected entry that its list shows at once. */
const nearby = 80

/** Asks for the rows that the tree will show, while the tree is still made. */
function askRowsNearby(client: EngineClient, queries: QueryClient, session: SessionKey, outline: Outline): void {
  const { entry, leaf } = viewOf(useApp.getState(), session)
  const at = outline.ids.lastIndexOf(entry ?? leaf ?? outline.defaultLeaf.id ?? '')
  if (at < 0) return
  const near = [Math.max(0, at - nearby), at, Math.min(outline.ids.length - 1, at + nearby)]
  for (const page of pagesOf(near)) void queries.prefetchQuery(rowsQuery(client, session, outline, page))
}

/** The page as an earlier revision had it, so that rows do not blink while a file grows. */
function rowsBefore(queries: QueryClient, session: SessionKey, page: number): Output<'entry.rows'> | undefined {
  const known = queries.getQueriesData<Output<'entry.rows'>>({
    queryKey: keys.session(session),
    predicate: ({ queryKey }) => queryKey[3] === 'entry.rows' && queryKey[4] === page
  })
  return known.findLast(([, rows]) => rows !== undefined)?.[1]
}

const positionsOnPage = (page: number, entries: number): number[] =>
  Array.from({ length: Math.max(0, Math.min(rowsAPage, entries - page * rowsAPage)) }, (_, i) => page * rowsAPage + i)

const rowsByPosition = (pages: readonly UseQueryResult<Output<'entry.rows'>>[]): ReadonlyMap<number, EntryRow> =>
  new Map(pages.flatMap(({ data }) => data?.map((row) => [row.at, row] as const) ?? []))

const linesAPage = 200

export interface Lines {
  /** How many lines the file has; undefined until the first page is there. */
  readonly total: number | undefined
  /** By number, counted from 1. */
  readonly lines: ReadonlyMap<number, RawLine>
  readonly error: Error | null
}

/** The file's lines from `first` to `last` (counted from 0), as far as they have arrived. */
export function useLines(session: SessionKey | null, file: number, first: number, last: number): Lines {
  const client = useClient()
  const revision = useSession(session).data?.revision
  const from = Math.floor(first / linesAPage)
  const shown = Array.from({ length: Math.floor(last / linesAPage) - from + 1 }, (_, i) => (from + i) * linesAPage)
  // The first page is always there, so that the total is known wherever one looks.
  const pages = [...new Set([0, ...shown])]
  return useQueries({
    queries:
      session === null || revision === undefined
        ? []
        : pages.map((start) => ({
            queryKey: keys.atRevision(session, revision, 'line.page', file, start),
            queryFn: ({ signal }: { signal: AbortSignal }) =>
              client.call('line.page', { session, file, from: start, count: linesAPage }, signal),
            placeholderData: keepPreviousData<Output<'line.page'>>,
            gcTime: 30_000
          })),
    combine: linesByNumber
  })
}

const linesByNumber = (pages: readonly UseQueryResult<Output<'line.page'>>[]): Lines => ({
  total: pages.find(({ data }) => data !== undefined)?.data?.total,
  lines: new Map(pages.flatMap(({ data }) => data?.lines.map((line) => [line.line, line] as const) ?? [])),
  error: pages.find(({ error }) => error !== null)?.error ?? null
})

/** A text that is fetched in parts, on demand. */
export interface LongText {
  readonly text: string
  readonly hasMore: boolean
  readonly loading: boolean
  readonly error: Error | null
  more(): void
}

/** The rest of a block's text behind its first `shown` characters; the first call of `more` fetches the first part. */
export function useEntryText(
  session: SessionKey,
  entry: string,
  block: number,
  shown: string,
  length: number
): LongText {
  return useRestOfText('entry.text', { session, entry, block }, shown, length)
}

/** A text of which a call gave the beginning; another call gives the rest, part by part. */
export function useRestOfText<K extends 'entry.text' | 'context.text' | 'compaction.summary'>(
  name: K,
  place: Omit<Input<K>, 'from'> & { readonly session: SessionKey },
  shown: string,
  length: number
): LongText {
  const client = useClient()
  const revision = useSession(place.session).data?.revision
  const parts = useInfiniteQuery({
    queryKey: keys.atRevision(place.session, revision, name, JSON.stringify(place)),
    queryFn: ({ signal, pageParam }): Promise<{ readonly text: string; readonly next: number | null }> =>
      client.call(name, { ...place, from: pageParam } as unknown as Input<K>, signal),
    initialPageParam: shown.length,
    getNextPageParam: (page) => page.next,
    enabled: false,
    gcTime: 30_000
  })
  const { fetchNextPage } = parts
  const more = useCallback(() => void fetchNextPage(), [fetchNextPage])
  return {
    text: shown + (parts.data?.pages.map((page) => page.text).join('') ?? ''),
    hasMore: parts.data === undefined ? length > shown.length : parts.hasNextPage,
    loading: parts.isFetching,
    error: parts.error,
    more
  }
}

const bytesALinePart = 65_536

/** A line's text behind its cut; the first call of `more` replaces the cut by the first part. */
export function useLineText(session: SessionKey, file: number, line: RawLine): LongText & { readonly isCut: boolean } {
  const client = useClient()
  const revision = useSession(session).data?.revision
  const parts = useInfiniteQuery({
    queryKey: keys.atRevision(session, revision, 'line.text', file, line.line),
    queryFn: ({ signal, pageParam }) =>
      client.call('line.text', { session, file, line: line.line, from: pageParam, limit: bytesALinePart }, signal),
    initialPageParam: 0,
    getNextPageParam: (page) => page.next,
    enabled: false,
    gcTime: 30_000
  })
  const { fetchNextPage } = parts
  const more = useCallback(() => void fetchNextPage(), [fetchNextPage])
  return {
    text: parts.data?.pages.map((page) => page.text).join('') ?? line.text,
    hasMore: parts.data === undefined ? line.text.length >= lineCut : parts.hasNextPage,
    isCut: parts.data === undefined && parts.error === null && line.text.length >= lineCut,
    loading: parts.isFetching,
    error: parts.error,
    more
  }
}

/** A raw line is cut after 400 characters (contract, `RawLine`), or after 399 where a pair would be split. */
const lineCut = 399

/** The engine's folder picker; `at` null lists the person's home folder. */
export function usePicker(at: FolderKey | null): UseQueryResult<Output<'picker.list'>> {
  const client = useClient()
  return useQuery({
    queryKey: ['picker', at],
    queryFn: ({ signal }) => client.call('picker.list', { at }, signal),
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: 0
  })
}
