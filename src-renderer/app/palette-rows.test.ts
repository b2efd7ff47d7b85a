import { expect, test } from 'vitest'
import type { Offer } from '#shared/contract/folder.ts'
import type { FolderKey, SessionKey } from '#shared/model/keys.ts'
import type { SessionRow } from '#shared/model/session.ts'
import { sessionRow } from '#shared/model/testing/session-row.ts'
import { paletteGroups } from './palette-rows.ts'

const session = (title: string, cwd = '/srv/app'): SessionRow => sessionRow(title, { title, cwd })
const offer: Offer = { key: 'f' as FolderKey, path: '/home/me/notes', label: 'notes', sample: false, recent: true }
const nothing = { session: null, entry: null }
const titles = (
  typed: string,
  sessions: readonly SessionRow[] = [],
  scope = nothing as Parameters<typeof paletteGroups>[3]
) => paletteGroups(typed, sessions, [offer], scope).map(({ label, items }) => [label, items.map(({ title }) => title)])

test('with nothing typed the latest sessions come first, then every command that can be done', () => {
  const many = Array.from({ length: 20 }, (_, index) => session(`s${index}`))
  const [sessions, commands] = titles('', many)
  expect(sessions).toEqual(['Latest sessions', ['s0', 's1', 's2', 's3', 's4', 's5']])
  expect(commands?.[1]).toContain('Settings')
  expect(commands?.[1]).toContain('Open notes')
  expect(commands?.[1]).not.toContain('Export the whole file')
})

test('what needs a session or an entry is there when one is selected', () => {
  const key = 's' as SessionKey
  const commands = (entry: string | null) => titles('', [], { session: key, entry }).flatMap(([, items]) => items)
  expect(commands(null)).toContain('Export the whole file')
  expect(commands(null)).not.toContain('Label the selected entry')
  expect(commands('e1')).toContain('Label the selected entry')
})

test('the group with the best answer stands first', () => {
  expect(titles('settings', [session('Fix the settings page')])[0]?.[0]).toBe('Commands')
  expect(titles('fix', [session('Fix the settings page')])[0]?.[0]).toBe('Sessions')
})

test('sessions of equal title and project are told apart by their time and the start of their id', () => {
  const twin = (id: string, updatedAt: string, cwd = '/srv/app') => sessionRow(id, { title: 'Twin', cwd, updatedAt })
  const sessions = [
    twin('0199f000-1111-7000', '2026-03-01T10:00:00Z'),
    twin('0199f000-1222-7000', '2026-03-01T09:00:00Z'),
    twin('0199f000-1333-7000', '2026-03-01T08:00:00Z', '/srv/other')
  ]
  const [found] = paletteGroups('twin', sessions, [], nothing)
  expect(found?.items.map(({ more }) => more)).toEqual([
    expect.stringMatching(/^app · .* 2026, .*:00 · 0199f000-11$/),
    expect.stringMatching(/^app · .* 2026, .*:00 · 0199f000-12$/),
    'other'
  ])
})

test('a session is found by its project, a folder by its path', () => {
  expect(titles('money', [session('Count', '/home/me/money')])).toEqual([['Sessions', ['Count']]])
  expect(titles('me/notes')).toEqual([['Commands', ['Open notes']]])
})
