import { buildContext, contextTokens } from '#main/context/build-context.ts'
import { tokenEstimate } from '#main/context/estimate-tokens.ts'
import { proposedName } from '#main/export/file-name.ts'
import { findSecrets } from '#main/export/find-secrets.ts'
import { planPath, planWholeFile, type ExportPlan } from '#main/export/plan-export.ts'
import { writeExport } from '#main/export/write-export.ts'
import type { Format } from '#main/formats/format.ts'
import type { Queries } from '#main/index/types.ts'
import { requireUnchanged } from '#main/platform/require-unchanged.ts'
import { sessionFaults, verifySession } from '#main/verify/verify-session.ts'
import { previewBranch } from '#main/write/preview-branch.ts'
import { writeBranch } from '#main/write/write-branch.ts'
import { branchEnd, planBranch } from '#main/write/plan-branch.ts'
import { Refusal } from '#shared/contract/refusal.ts'
import type { Fault } from '#shared/model/fault.ts'
import type { Context } from '#shared/model/message.ts'
import type { SessionRow } from '#shared/model/session.ts'
import type { Handlers } from '#shared/rpc/types.ts'
import type { ReaderCalls } from './contract.ts'
import { entryDetail, entryImage, entryText, ownText } from './entry-blocks.ts'
import { lineHeads, lineText } from './line-texts.ts'
import type { ReadSession } from './read-session.ts'
import { SessionCache, type SessionRequest } from './session-cache.ts'
import { dialectRow, entryRow, outline, storedRow } from './session-views.ts'

/** The reader role: answers from the index and from the bytes of the session files, and writes new files. */
export function createReader(queries: Queries, formats: readonly Format[]): Omit<Handlers<ReaderCalls>, 'role.close'> {
  const sessions = new SessionCache(queries, formats)
  const estimate = tokenEstimate()

  const faultsOf = ({ stored, tree, entryOnLine }: ReadSession): Fault[] =>
    sessionFaults(stored.files, queries.faults(stored.key), tree.faults, entryOnLine)

  const contextAt = async (session: ReadSession, at: number | null, signal: AbortSignal): Promise<Context> => {
    const draft = await session.format.context(session, at, signal)
    return buildContext(draft, session.stored.files[0].path, estimate, signal)
  }

  const exportPlan = async (request: SessionRequest, entry: string | undefined, signal: AbortSignal) => {
    const session = sessions.get(request)
    await requireUnchanged(session.stored.files)
    const plan: ExportPlan =
      entry === undefined ? planWholeFile(session) : await planPath(session, session.path(session.at(entry)), signal)
    return { session, plan }
  }

  const branchPlan = async (request: BranchRequest, signal: AbortSignal) => {
    const session = sessions.get(request)
    const chosen = session.at(request.entry)
    const end = branchEnd(session, chosen, request.position)
    const plan = await planBranch(session.format, session, end, request.into)
    const context = await contextAt(session, end, signal)
    const tokens = contextTokens(context)
    return { session, chosen, context, branch: { view: session, format: session.format, plan, end, tokens } }
  }

  return {
    'session.list'({ folders, sessions: keys }) {
      const now = Date.now()
      const found = new Map(
        [
          ...folders.flatMap((folder) => queries.sessionsUnder(folder)),
          ...keys.flatMap((key) => queries.session(key) ?? [])
        ].map((stored) => [stored.key, stored])
      )
      return [...found.values()].map((stored) => storedRow(stored, now)).toSorted(newestFirst)
    },
    'session.get'(request) {
      if (request.agent === undefined) return storedRow(sessions.stored(request.session), Date.now())
      const session = sessions.get(request)
      return dialectRow(session, faultsOf(session).length, Date.now())
    },
    'session.outline': (request) => outline(sessions.get(request)),
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

    async 'line.page'({ from, count, ...request }, signal) {
      const session = sessions.get(request)
      const { total, lines } = queries.linePage(request.session, 0, whole(from, 'from'), whole(count, 'count'))
      await using source = await session.open(0)
      const heads = await lineHeads(source, lines, signal)
      return {
        total,
        lines: lines.map(({ number, offset, length, class: lineClass }, index) => ({
          line: number,
          offset,
          length,
          class: lineClass,
          entry: session.entryOnLine(number),
          text: heads[index] ?? ''
        }))
      }
    },
    async 'line.text'({ line: number, from, limit, ...request }) {
      const session = sessions.get(request)
      const file = session.stored.files[0].path
      const line = queries.line(request.session, 0, whole(number, 'line'))
      if (line === undefined) throw new Refusal('not-found', `${file} has no line ${number}.`, { file })
      await using source = await session.open(0)
      return await lineText(source, line, whole(from, 'from'), whole(limit, 'limit'))
    },

    'entry.rows'({ at, ...request }) {
      const session = sessions.get(request)
      const { length } = session.tree.nodes
      if (at.some((index) => whole(index, 'at') >= length)) {
        const file = session.stored.files[0].path
        throw new Refusal('stale', `${file} has fewer entries now. Ask for its outline again.`, { file })
      }
      return at.map((index) => entryRow(session, index))
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

    async 'branch.preview'(request, signal) {
      const { session, chosen, context, branch } = await branchPlan(request, signal)
      const text = request.position === 'before' ? await ownText(session, chosen) : null
      return previewBranch(branch, context, text, signal)
    },
    async 'branch.write'(request, signal) {
      const { branch } = await branchPlan(request, signal)
      return writeBranch(branch, signal)
    },

    async 'export.preview'({ entry, ...request }, signal) {
      const { plan } = await exportPlan(request, entry, signal)
      const secrets = await findSecrets(plan.chunks(signal), signal)
      return { name: proposedName(plan.file, entry ?? null), bytes: plan.bytes, entries: plan.entries, secrets }
    },
    async 'export.write'({ entry, out, ...request }, signal) {
      const { session, plan } = await exportPlan(request, entry, signal)
      return writeExport(plan, out, () => requireUnchanged(session.stored.files), signal)
    }
  }
}

type BranchRequest = SessionRequest & {
  readonly entry: string
  readonly position: 'before' | 'after'
  readonly into: string | null
}

const newestFirst = (one: SessionRow, other: SessionRow): number =>
  (other.updatedAt ?? '').localeCompare(one.updatedAt ?? '')

/** A count or position. Refused as `invalid-input` where it is none. */
function whole(value: number, name: string): number {
  if (Number.isSafeInteger(value) && value >= 0) return value
  throw new Refusal('invalid-input', `${name} must be a whole number of 0 or more, not ${value}.`)
}
