import type { Offer } from '#shared/contract/folder.ts'
import type { SessionRow } from '#shared/model/session.ts'
import { ranked, rankOf } from '#renderer/text/ranking.ts'
import { projectOf, shortId, titleOf } from '#renderer/text/sessions.ts'
import { formatTime } from '#renderer/text/times.ts'
import { type ShortcutScope, shortcuts } from './shortcuts.ts'

export interface PaletteRow {
  readonly id: string
  readonly title: string
  /** What stands behind it: a project, a path, the keys; where a session looks like another one, also its time and id. */
  readonly more: string
  readonly choice:
    | { readonly kind: 'session'; readonly session: SessionRow }
    | { readonly kind: 'command'; readonly run: (scope: ShortcutScope) => void }
    | { readonly kind: 'folder'; readonly offer: Offer }
}

export interface PaletteGroup {
  readonly label: string
  readonly items: readonly PaletteRow[]
}

const mostSessions = 50
const mostLatest = 6

/** Sessions and commands that answer what was typed, best first; with nothing typed the latest sessions and all commands. */
export function paletteGroups(
  typed: string,
  sessions: readonly SessionRow[],
  offers: readonly Offer[],
  scope: Pick<ShortcutScope, 'session' | 'entry'>
): readonly PaletteGroup[] {
  const isTyped = typed.trim() !== ''
  const best = (rows: readonly PaletteRow[]) => ranked(rows, ({ title, more }) => rankOf(typed, title, more))
  const found = best(sessions.map(sessionRow)).slice(0, isTyped ? mostSessions : mostLatest)
  const commands = best([...commandRows(scope), ...offers.map(folderRow)])
  const groups = [
    { label: isTyped ? 'Sessions' : 'Latest sessions', items: toldApart(found) },
    { label: 'Commands', items: commands }
  ].filter(({ items }) => items.length > 0)
  const rankOfFirst = ({ items: [first] }: PaletteGroup) =>
    first === undefined ? 0 : rankOf(typed, first.title, first.more)
  return isTyped ? groups.toSorted((one, other) => rankOfFirst(other) - rankOfFirst(one)) : groups
}

const sessionRow = (session: SessionRow): PaletteRow => ({
  id: session.key,
  title: titleOf(session),
  more: projectOf(session),
  choice: { kind: 'session', session }
})

/** Rows of equal title and project say when each session was last written to, and its id. */
function toldApart(rows: readonly PaletteRow[]): readonly PaletteRow[] {
  const alike = Map.groupBy(rows, ({ title, more }) => `${title}\n${more}`)
  return rows.map((row) => {
    const { choice, title, more } = row
    const same = alike.get(`${title}\n${more}`) ?? []
    if (choice.kind !== 'session' || same.length < 2) return row
    const { id, updatedAt } = choice.session
    const others = same.flatMap(({ choice: other }) => (other.kind === 'session' ? [other.session.id] : []))
    return { ...row, more: `${more} · ${formatTime(updatedAt)} · ${shortId(id, others)}` }
  })
}

const folderRow = (offer: Offer): PaletteRow => ({
  id: offer.key,
  title: `Open ${offer.label}`,
  more: offer.path,
  choice: { kind: 'folder', offer }
})

function commandRows({ session, entry }: Pick<ShortcutScope, 'session' | 'entry'>): PaletteRow[] {
  return shortcuts
    .filter(({ keys }) => keys !== '$mod+KeyK')
    .filter(({ needs }) => needs === undefined || (needs === 'session' ? session : entry) !== null)
    .map(({ keys, what, shown, run }) => ({ id: keys, title: what, more: shown, choice: { kind: 'command', run } }))
}
