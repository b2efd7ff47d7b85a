import { contextTokens } from '#main/context/build-context.ts'
import type { ContextDraft, SessionView } from '#main/formats/format.ts'
import type { Queries } from '#main/index/types.ts'
import type { Checkpoint } from '#main/tail/tail.ts'
import { appendedView } from '#main/write/appended-view.ts'
import { appendToSession, planAppend, type PlannedAppend, previewAppend } from '#main/write/append-to-session.ts'
import { firstLines } from '#main/write/first-lines.ts'
import { branchEnd, planBranch, type PlannedBranch, planFork } from '#main/write/plan-branch.ts'
import { previewBranch, shownMessages } from '#main/write/preview-branch.ts'
import { writeBranch } from '#main/write/write-branch.ts'
import type { BranchPreview, BranchResult } from '#shared/contract/branch.ts'
import { Refusal } from '#shared/contract/refusal.ts'
import type { Context } from '#shared/model/message.ts'
import type { InputOf, OutputOf } from '#shared/rpc/types.ts'
import type { ReaderCalls } from './contract.ts'
import { ownText } from './entry-blocks.ts'
import type { ReadSession } from './read-session.ts'

type BranchRequest = InputOf<ReaderCalls, 'branch.write'>
type LabelRequest = InputOf<ReaderCalls, 'entry.label'>

/** Completes a context of a session, or of a session as it will be. */
type Complete = (session: ReadSession, draft: ContextDraft, signal: AbortSignal) => Promise<Context>

/** Writes what a person asks for: branches as new files, forks, and what is appended to a session's own file. */
export class Branches {
  readonly #queries: Queries
  readonly #complete: Complete

  constructor(queries: Queries, complete: Complete) {
    this.#queries = queries
    this.#complete = complete
  }

  async preview(session: ReadSession, request: BranchRequest, signal: AbortSignal): Promise<BranchPreview> {
    const text =
      request.position === 'before' && request.entry !== undefined && request.mode !== 'fork'
        ? await ownText(session, session.at(request.entry))
        : null
    if (request.mode !== 'in-place') {
      const { branch, context } = await this.#newFile(session, request, signal)
      return previewBranch(branch, context, text, signal)
    }
    const { append, context } = await this.#append(session, inPlace(session, request), signal)
    const { lines, lineCount } = await firstLines(chunksOf(append.plan.text))
    const result = await previewAppend(append, signal)
    return { result, ...shownMessages(context.messages), lines: [...lines], lineCount, ownText: text }
  }

  async write(
    session: ReadSession,
    request: BranchRequest,
    signal: AbortSignal
  ): Promise<OutputOf<ReaderCalls, 'branch.write'>> {
    const { agent } = session.stored
    if (request.mode !== 'in-place') {
      const { branch } = await this.#newFile(session, request, signal)
      const { result, files, folder } = await writeBranch(branch, signal)
      return { result, files: [...files], folder, end: null, agent }
    }
    const { append } = await this.#append(session, inPlace(session, request), signal)
    return { result: await appendToSession(append, signal), files: [], folder: null, end: append.plan.end, agent }
  }

  async label(
    session: ReadSession,
    { entry, label, dryRun }: LabelRequest,
    signal: AbortSignal
  ): Promise<BranchResult> {
    const request = { kind: 'label', at: session.at(entry), label, now: new Date() } as const
    const { append } = await this.#append(session, request, signal)
    return dryRun ? previewAppend(append, signal) : appendToSession(append, signal)
  }

  async #newFile(
    session: ReadSession,
    { mode, entry, position, into }: BranchRequest,
    signal: AbortSignal
  ): Promise<{ readonly branch: PlannedBranch; readonly context: Context }> {
    const { format } = session
    if (mode === 'fork') {
      const plan = await planFork(format, session, into)
      const context = await this.#complete(session, await format.context(session, null, signal), signal)
      const end = context.entry === null ? -1 : session.at(context.entry)
      return { branch: { mode, view: session, format, plan, end, tokens: contextTokens(context) }, context }
    }
    const end = branchEnd(session, session.at(required(entry)), position ?? 'after')
    const plan = await planBranch(format, session, end, into)
    const draft = plan.context ?? (await format.context(session, end, signal))
    const context = await this.#complete(session, draft, signal)
    const tokens = contextTokens(context)
    return { branch: { mode: 'new-file', view: session, format, plan, end, tokens }, context }
  }

  /** The session as it will be tells what the agent will see. */
  async #append(
    session: ReadSession,
    request: Parameters<typeof planAppend>[2],
    signal: AbortSignal
  ): Promise<{ readonly append: PlannedAppend; readonly context: Context }> {
    const { format, stored, tree } = session
    const plan = planAppend(format, session, request)
    const then: SessionView = appendedView(format, session, plan.text)
    const context = await this.#complete(session, await format.context(then, null, signal), signal)
    const checkpoint = this.#queries.checkpoint(stored.key, 0)
    if (checkpoint === undefined) throw new Error(`the index has no checkpoint of ${stored.files[0].path}`)
    return {
      append: {
        mode: request.kind === 'label' ? 'label' : 'in-place',
        view: session,
        plan,
        entry: tree.nodes[request.at]?.id ?? '',
        tokens: contextTokens(context),
        checkpoint: JSON.parse(checkpoint) as Checkpoint
      },
      context
    }
  }
}

function inPlace(session: ReadSession, { entry, position, summary }: BranchRequest) {
  const at = branchEnd(session, session.at(required(entry)), position ?? 'after')
  return { kind: 'branch', at, summary: summary ?? null, now: new Date() } as const
}

function required(entry: string | undefined): string {
  if (entry !== undefined) return entry
  throw new Refusal('invalid-input', 'A branch begins at an entry: name one.')
}

async function* chunksOf(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text)
}
