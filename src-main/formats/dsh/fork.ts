import { basename, dirname, join } from 'node:path'
import type { BranchPoint } from '#shared/contract/entry.ts'
import { Refusal } from '#shared/contract/refusal.ts'
import type { JsonObject } from '#shared/model/records.ts'
import type { BranchPlan, BranchRequest, SessionView } from '../format.ts'
import { shellQuote } from '../shell-quote.ts'
import { uuidV7 } from '../uuid-v7.ts'
import { historyOf } from './assemble.ts'
import { versionOfName } from './locate.ts'
import { requiredTypes } from './notes.ts'
import { embeddedStreams, factsOf, type Header, newestVersion, stateFromJson, unverified } from './schema.ts'
import { encodedId } from './session-folder.ts'

/** Whether dsh could begin a session with the log up to an event (docs/formats/dsh.md, "Forks"): only where a turn ends. */
export function dshBranchPoint(view: SessionView, at: number): BranchPoint {
  const refusal = notForkable(view)
  if (refusal !== null) return { kind: 'refused', reason: `No fork can be made: ${refusal}.`, nearest: [] }
  const reason = refusedAt(view, at)
  return reason === null ? { kind: 'allowed' } : { kind: 'refused', reason, nearest: nearest(view, at) }
}

/**
 * A session of its own that begins with the log up to the end of a turn, byte by byte: of the same generation and
 * compression, in a new directory. Refused as `not-resumable` where `dshBranchPoint` does.
 */
export async function planDshBranch(view: SessionView, { at, now, into }: BranchRequest): Promise<BranchPlan> {
  const point = dshBranchPoint(view, at)
  const { entries, files } = view.records
  const [{ path: source, framing }] = files
  const [first, last] = [entries[0], entries[at]]
  const header = headerOf(view)
  if (point.kind === 'refused' || header === null || first === undefined || last === undefined) {
    const { reason, nearest: near } =
      point.kind === 'refused' ? point : { reason: 'There is no such event.', nearest: [] }
    throw new Refusal('not-resumable', reason, { file: source, entry: view.tree.nodes[at]?.id ?? null, nearest: near })
  }
  const { version, cwd } = header
  const sessionId = uuidV7(now)
  const directory = join(into ?? dirname(dirname(source)), encodedId(sessionId))
  const inherited = at + 1
  const isMarked = version >= embeddedStreams
  const lines: readonly JsonObject[] = [
    {
      type: 'session',
      version,
      id: sessionId,
      createdAt: now.getTime(),
      ...(cwd === null ? {} : { cwd }),
      parentSession: header.id,
      ...(isMarked ? { isSeeded: true } : { seedLength: inherited }),
      delegationDepth: 0
    },
    { type: 'session/end-seed', seq: inherited, time: now.getTime(), data: isMarked ? { inherited: true } : {} }
  ]
  const [opening, mark] = lines.map((line) => `${JSON.stringify(line)}\n`)
  const begin = first.bytes[0]
  const resume = `dsh --profile tui --resume ${shellQuote(sessionId)}`
  return {
    sessionId,
    directory,
    files: [
      {
        path: join(directory, fileName(version, framing === 'frames')),
        pieces: [
          { kind: 'text', text: opening ?? '' },
          { kind: 'copy', file: 0, range: [begin, last.bytes[0] + last.bytes[1] - begin] },
          { kind: 'text', text: `\n${mark ?? ''}` }
        ],
        ...(framing === 'frames' ? { framing } : {})
      }
    ],
    entries: inherited + 1,
    resume: cwd === null ? resume : `cd ${shellQuote(cwd)} && ${resume}`,
    ...(version >= unverified ? { unverified: `version ${version} of the format is known from descriptions only` } : {})
  }
}

const fileName = (version: number, isCompressed: boolean): string =>
  `session${version === 0 ? '' : `.v${version}`}.jsonl${isCompressed ? '.zstd' : ''}`

const headerOf = ({ records }: SessionView): Header | null => stateFromJson(records.files[0].state).header

/** Why dsh would not read a session that begins with any part of this one, null where it would. */
function notForkable(view: SessionView): string | null {
  const header = headerOf(view)
  if (header === null) return 'the log has no header'
  const { version } = header
  if (version > newestVersion) return `version ${version} of the format is newer than those that are known`
  const named = versionOfName(basename(view.records.files[0].path))
  if (named !== null && named !== version) return `the file's name says version ${named}, its header version ${version}`
  const required = requiredTypes(view.records.entries)
  return required.length === 0 ? null : `dsh refuses events of types that it does not know: ${required.join(', ')}`
}

/** Why a fork cannot end at an event, null where it can. */
function refusedAt({ records, tree }: SessionView, at: number): string | null {
  const entry = records.entries[at]
  const { broken } = historyOf(tree)
  if (broken !== null && broken.at <= at)
    return `Event ${broken.at} breaks the rules of the conversation: ${broken.why}.`
  if (entry?.synthetic !== undefined) return 'dsh has not written this event yet.'
  return entry !== undefined && factsOf(entry).type === 'turn/end' ? null : 'A session is forked where a turn ends.'
}

/** The ends of turns before and behind an event. */
function nearest(view: SessionView, at: number): string[] {
  const { entries } = view.records
  const isAllowed = (index: number) => {
    const entry = entries[index]
    return entry !== undefined && factsOf(entry).type === 'turn/end' && refusedAt(view, index) === null
  }
  const found: number[] = []
  for (let before = at - 1; before >= 0; before--) {
    if (!isAllowed(before)) continue
    found.push(before)
    break
  }
  for (let behind = at + 1; behind < entries.length; behind++) {
    if (!isAllowed(behind)) continue
    found.push(behind)
    break
  }
  return found.map(String)
}
