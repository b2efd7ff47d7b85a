import { setImmediate as nextTurn } from 'node:timers/promises'
import { buildContext } from '#main/context/build-context.ts'
import { tokenEstimate } from '#main/context/estimate-tokens.ts'
import type { ContextDraft, Format } from '#main/formats/format.ts'
import type { Queries, StoredSession } from '#main/index/types.ts'
import { sessionRequests } from '#main/usage/session-requests.ts'
import { UsageTally } from '#main/usage/usage-stats.ts'
import { sessionFaults, verifySession } from '#main/verify/verify-session.ts'
import type { EntryContent } from '#shared/contract/transcript.ts'
import { Refusal } from '#shared/contract/refusal.ts'
import type { Fault } from '#shared/model/fault.ts'
import type { Context } from '#shared/model/message.ts'
import type { SessionRow } from '#shared/model/session.ts'
import type { Handlers } from '#shared/rpc/types.ts'
import { requestsBehind } from '#shared/tree/requests-change.ts'
import { Branches } from './branches.ts'
import type { ReaderCalls } from './contract.ts'
import { ContextViews, type Page } from './context-views.ts'
import { Compactions } from './compactions.ts'
import { entryContent, entryDetail, entryImage, entryText } from './entry-blocks.ts'
import { makeExport, previewExport } from './exports.ts'
import { lineHeads, lineText } from './line-texts.ts'
import { Openings } from './openings.ts'
import { Outlines, type OutlineSource } from './outlines.ts'
import type { ReadSession } from './read-session.ts'
import { replay } from './replay.ts'
import { SentRequests } from './sent-requests.ts'
import { SessionCache, type SessionRequest } from './session-cache.ts'
import { dialectRow, entryRow, outline, storedRow } from '../session-views.ts'

/** The reader role: answers from the index and from the bytes of the session files, and writes new files. */
export function createReader(queries: Queries, formats: readonly Format[]): Omit<Handlers<ReaderCalls>, 'role.close'> {
  const sessions = new SessionCache(queries, formats)
  const estimate = tokenEstimate()

  const formatOf = (stored: StoredSession): Pick<Format, 'isRunning'> =>
    formats.find(({ id }) => id === stored.format) ?? {}

  const faultsOf = ({ stored, tree, entryOnLine }: ReadSession): Fault[] =>
    sessionFaults(stored.files, queries.faults(stored.key), tree.faults, entryOnLine)

  const complete = (session: ReadSession, draft: ContextDraft, signal?: AbortSignal): Promise<Context> =>
    buildContext(draft, session.stored.files, estimate, signal)
  const contextAt = async (session: ReadSession, at: number | null, signal?: AbortSignal): Promise<Context> =>
    complete(session, await session.format.context(session, at, signal), signal)

  const contexts = new ContextViews(contextAt)
  const page = ({ from, count }: Page): Page => ({ from: whole(from, 'from'), count: whole(count, 'count') })

  const requireEntries = (session: ReadSession, at: readonly number[]) => {
    const { length } = session.tree.nodes
    if (at.every((index) => whole(index, 'at') < length)) return
    const file = session.stored.files[0].path
    throw new Refusal('stale', `${file} has fewer entries now. Ask for its outline again.`, { file })
  }

  const requireFile = (session: ReadSession, position: number): string => {
    const [main] = session.stored.files
    const file = session.stored.files[whole(position, 'file')]
    if (file === undefined) throw new Refusal('not-found', `${main.path} has no file ${position}.`, { file: main.path })
    return file.path
  }

  const compactions = new Compactions((session, at) => contextAt(session, at))

  const branches = new Branches(queries, complete)

  const openings = new Openings(queries, sessions)
  const outlines = new Outlines()
  const outlineSource = (request: SessionRequest): OutlineSource => {
    const kept = openings.outline(request)
    if (kept !== undefined) {
      const { key, agent } = sessions.stored(request.session)
      return { key, agent, revision: kept.revision, outline: () => kept }
    }
    const session = sessions.get(request)
    const { stored, records } = session
    const { key, revision } = stored
    return { key, agent: records.agent, revision, outline: (before) => outline(session, before) }
  }
  const sentRequests = new SentRequests()

  return {
    'session.list'({ folders, sessions: keys }) {
      const now = Date.now()
      const found = new Map(
        [
          ...folders.flatMap((folder) => queries.sessionsUnder(folder)),
          ...keys.flatMap((key) => queries.session(key) ?? [])
        ].map((stored) => [stored.key, stored])
      )
      return [...found.values()].map((stored) => storedRow(stored, formatOf(stored), now)).toSorted(newestFirst)
    },
    'session.get'(request) {
      const stored = sessions.stored(request.session)
      // What is looked at is shown as it is now, the others as they were summed up last.
      const isCurrent = stored.summary.revision === stored.revision || !sessions.holds(request.session)
      if (request.agent === undefined && isCurrent) return storedRow(stored, formatOf(stored), Date.now())
      const session = sessions.get(request)
      return dialectRow(session, faultsOf(session).length, Date.now())
    },
    'session.outline': ({ since, ...request }) => outlines.since(outlineSource(request), since),
    'session.faults': (request) => faultsOf(sessions.get(request)),
    'session.verify'(request) {
      // The writer may change the index between two questions; then both are asked again.
      for (;;) {
        const session = sessions.get(request)
        const { revision, files } = session.stored
        const bytes = queries.byteLedger(request.session)
        const findings = faultsOf(session)
        if (sessions.stored(request.session).revision === revision) return verifySession(files, findings, bytes)
      }
    },
    async 'session.replay'({ turns, ...request }, signal) {
      return { events: await replay(sessions.get(request), turns, signal) }
    },

    'session.files': (request) => sessions.get(request).stored.files.map(({ path, size }) => ({ path, bytes: size })),

    async 'line.page'({ file: position = 0, from, count, ...request }, signal) {
      const session = sessions.get(request)
      requireFile(session, position)
      const { total, lines } = queries.linePage(request.session, position, whole(from, 'from'), whole(count, 'count'))
      await using source = await session.open(position)
      const heads = await lineHeads(source, lines, signal)
      return {
        total,
        lines: lines.map(({ number, offset, length, class: lineClass }, index) => ({
          line: number,
          offset,
          length,
          class: lineClass,
          entry: session.entryOnLine(number, position),
          text: heads[index] ?? ''
        }))
      }
    },
    async 'line.text'({ file: position = 0, line: number, from, limit, ...request }) {
      const session = sessions.get(request)
      const file = requireFile(session, position)
      const line = queries.line(request.session, position, whole(number, 'line'))
      if (line === undefined) throw new Refusal('not-found', `${file} has no line ${number}.`, { file })
      await using source = await session.open(position)
      return await lineText(source, line, whole(from, 'from'), whole(limit, 'limit'))
    },

    'entry.rows'({ at, ...request }) {
      const kept = openings.rows(request, at)
      if (kept !== undefined) return kept
      const session = sessions.get(request)
      requireEntries(session, at)
      return at.map((index) => entryRow(session, index))
    },
    async 'entry.contents'({ at, ...request }, signal) {
      const session = sessions.get(request)
      requireEntries(session, at)
      const contents: EntryContent[] = []
      for (const index of at) {
        signal.throwIfAborted()
        contents.push(await entryContent(session, index))
      }
      return contents
    },
    'entry.detail'({ entry, ...request }) {
      const session = sessions.get(request)
      return entryDetail(session, entry, faultsOf(session))
    },
    'entry.text': ({ entry, block, from, ...request }) =>
      entryText(sessions.get(request), entry, block, whole(from, 'from')),
    'entry.image': ({ entry, block, ...request }) => entryImage(sessions.get(request), entry, block),
    'entry.context'({ entry, ...request }, signal) {
      const session = sessions.get(request)
      return contextAt(session, entry === undefined ? null : session.at(entry), signal)
    },

    'context.head': ({ entry, ...request }, signal) => contexts.head(sessions.get(request), entry, signal),
    'context.messages': ({ entry, from, count, ...request }, signal) =>
      contexts.messages(sessions.get(request), entry, page({ from, count }), signal),
    'context.message': ({ entry, index, ...request }, signal) =>
      contexts.message(sessions.get(request), entry, whole(index, 'index'), signal),
    'context.text': ({ entry, index, block, from, ...request }, signal) =>
      contexts.text(sessions.get(request), entry, { index, block, from: whole(from, 'from') }, signal),
    'context.omitted': ({ entry, from, count, ...request }, signal) =>
      contexts.omitted(sessions.get(request), entry, page({ from, count }), signal),
    'context.compare': ({ left, right, ...request }, signal) =>
      contexts.compare(sessions.get(request), { left, right }, signal),
    'context.compared': ({ left, right, from, count, ...request }, signal) =>
      contexts.compared(sessions.get(request), { left, right }, page({ from, count }), signal),
    'context.difference': ({ left, right, index, ...request }, signal) =>
      contexts.difference(sessions.get(request), { left, right }, whole(index, 'index'), signal),

    'compaction.list': ({ entry, ...request }) => compactions.list(sessions.get(request), entry),
    'compaction.get': ({ entry, ...request }) => compactions.head(sessions.get(request), entry),
    'compaction.fates': ({ entry, side, from, count, ...request }) =>
      compactions.fates(sessions.get(request), entry, side, {
        from: whole(from, 'from'),
        count: whole(count, 'count')
      }),
    'compaction.summary': ({ entry, from, ...request }) =>
      compactions.summary(sessions.get(request), entry, whole(from, 'from')),
    'compaction.difference': ({ entry, index, ...request }) =>
      compactions.difference(sessions.get(request), entry, whole(index, 'index')),
    'compaction.find': ({ entry, text, ...request }, signal) =>
      compactions.find(sessions.get(request), entry, text, signal),

    'usage.requests'({ entry, since, ...request }) {
      const session = sessions.get(request)
      if (entry !== undefined) return sentRequests.since(session, entry, since)
      const requests = sessionRequests(session.format, session, null)
      return requestsBehind(requests, session.stored.revision, { requests: 0, markers: 0 })
    },
    async 'usage.stats'({ sessions: keys, agent, by }, signal) {
      const stored = keys.map((key) => sessions.stored(key)).toSorted(oldestFirst)
      const parents = new Set(
        stored.flatMap(({ summary }) => (summary.origin === 'subagent' ? (summary.parent?.file ?? []) : []))
      )
      const tally = new UsageTally()
      for (const { key, files } of stored) {
        if (!parents.has(files[0].path)) continue
        const session = sessions.get({ session: key, agent })
        tally.note(session.format, session)
      }
      for (const { key, summary } of stored) {
        await nextTurn()
        signal.throwIfAborted()
        const session = sessions.get({ session: key, agent })
        tally.add(session.format, session, summary.parent?.file ?? null)
      }
      return tally.stats(by)
    },

    'branch.preview': (request, signal) => branches.preview(sessions.get(request), request, signal),
    'branch.write': (request, signal) => branches.write(sessions.get(request), request, signal),
    async 'entry.label'(request, signal) {
      const session = sessions.get(request)
      return { result: await branches.label(session, request, signal), agent: session.stored.agent }
    },

    'export.preview'(request, signal) {
      const session = sessions.get(request)
      return previewExport(session, faultsOf(session).length, request, signal)
    },
    'export.write'(request, signal) {
      const session = sessions.get(request)
      return makeExport(session, faultsOf(session).length, request, signal)
    }
  }
}

const newestFirst = (one: SessionRow, other: SessionRow): number =>
  (other.updatedAt ?? '').localeCompare(one.updatedAt ?? '')

/** By creation, then by path; what has no such time comes last. */
function oldestFirst(one: StoredSession, other: StoredSession): number {
  const [left, right] = [one, other].map(({ summary, files }) => `${summary.createdAt ?? '~'} ${files[0].path}`)
  return (left ?? '') < (right ?? '') ? -1 : 1
}

/** A count or position. Refused as `invalid-input` where it is none. */
function whole(value: number, name: string): number {
  if (Number.isSafeInteger(value) && value >= 0) return value
  throw new Refusal('invalid-input', `${name} must be a whole number of 0 or more, not ${value}.`)
}
