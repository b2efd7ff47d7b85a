import { basename } from 'node:path'
import type { Mark, Note } from '#shared/model/entry.ts'
import type { EntryRecord, SessionRecords } from '#shared/model/records.ts'
import { oneLine } from '../cut.ts'
import { asList, asString } from '../json.ts'
import { versionOfName } from './locate.ts'
import { factsOf, newestVersion, type State, unverified } from './schema.ts'
import type { SurfaceHistory } from './surface-history.ts'

const mostNamed = 5

/** What the window says above the session: first what dsh would refuse of it. */
export function notesOf(
  { entries, files, beside }: SessionRecords,
  state: State,
  history: SurfaceHistory,
  closers: number
): readonly Note[] {
  const version = state.header?.version ?? 0
  const required = requiredTypes(entries)
  const shown = basename(files[0].path)
  const others = asList(beside?.['others']).map((name) => asString(name) ?? '')
  const older = others.filter((name) => versionOfName(name) !== versionOfName(shown))
  const otherEncoding = others.filter((name) => isCompressed(name) !== isCompressed(shown))
  const notes: (Note | null)[] = [
    state.break === null ? null : breakNote(state.break),
    otherEncoding.length === 0
      ? null
      : warning(
          `Both compressed and plain logs lie here; dsh refuses such a folder. Shown is ${shown}, not what stands below.`,
          otherEncoding.join('\n')
        ),
    required.length === 0
      ? null
      : warning(
          'dsh would refuse this session, as it has events of types that it does not know: it can be read here, but not forked.',
          required.join('\n')
        ),
    version > newestVersion
      ? warning(
          `Written in version ${version} of the format, which is newer than ${newestVersion}: what is shown may be wrong.`
        )
      : null,
    history.broken === null
      ? null
      : warning(`The conversation ends at event ${history.broken.at}, which breaks its rules.`, history.broken.why),
    closers === 0
      ? null
      : info(
          `The last turn was left open: dsh closes it with ${closers} events when it goes on. They are shown and marked, not written.`
        ),
    older.length === 0
      ? null
      : info('Older generations of this session lie beside it and are not shown.', older.join('\n')),
    version >= unverified && version <= newestVersion
      ? info(`Version ${version} of the format is known from descriptions only.`)
      : null
  ]
  return notes.flatMap((note) => note ?? [])
}

const isCompressed = (name: string): boolean => name.endsWith('.zstd')

const warning = (text: string, detail: string | null = null): Note => ({ tone: 'warning', text, detail })
const info = (text: string, detail: string | null = null): Note => ({ tone: 'info', text, detail })

function breakNote({ line, why, isCorrupt, behind }: NonNullable<State['break']>): Note {
  const rest =
    behind === 0 ? '' : ` Behind it ${behind === 1 ? 'is 1 row' : `are ${behind.toLocaleString('en')} rows`}.`
  return isCorrupt
    ? warning(`The log is damaged at line ${line}: dsh refuses the session. What stands before is shown.${rest}`, why)
    : info(`The log is damaged at line ${line}, behind its last closed turn: dsh drops what follows.${rest}`, why)
}

/** Types that no dsh we know writes and that are not marked as ones to pass over. */
export function requiredTypes(entries: readonly EntryRecord[]): readonly string[] {
  const types = new Set<string>()
  for (const entry of entries) {
    const { type, ignorable } = factsOf(entry)
    if (entry.kind === 'unknown' && ignorable !== true) types.add(oneLine(type, 60))
    if (types.size === mostNamed) break
  }
  return [...types]
}

/** Badges of a row: whether the event is part of the conversation still, and what is special about it. */
export function marksOf(
  entry: EntryRecord,
  at: number,
  { replacing, broken }: SurfaceHistory,
  inheritedBefore: number
): readonly Mark[] {
  const { surface, empty, type, ignorable } = factsOf(entry)
  const marks: Mark[] = []
  const by = replacing.get(at)
  if (entry.synthetic !== undefined) {
    marks.push({ text: 'not written', tone: 'warning', why: 'dsh writes this event when it goes on with the session.' })
  }
  if (by !== undefined) {
    marks.push({ text: `shadowed by ${by}`, tone: 'plain', why: `Event ${by} took its place in the conversation.` })
  } else if (surface !== undefined && (broken === null || at < broken.at)) {
    marks.push(
      empty === true
        ? { text: 'empty', tone: 'plain', why: 'A message without content is not sent.' }
        : { text: 'live', tone: 'good', why: 'It is part of the conversation as it is now.' }
    )
  }
  if (type === 'assistant/attempt')
    marks.push({ text: 'attempt', tone: 'plain', why: 'A request that gave no answer.' })
  if (entry.kind === 'unknown' && ignorable !== true) {
    marks.push({ text: 'required', tone: 'error', why: 'dsh does not know its type and refuses the session.' })
  }
  if (at < inheritedBefore) {
    marks.push({ text: 'inherited', tone: 'plain', why: 'It was copied from the session that this one came from.' })
  }
  return marks
}
