import { expect, test, vi } from 'vitest'
import type { SessionKey } from '#shared/model/keys.ts'
import { type ShortcutScope, shortcuts } from './shortcuts.ts'

const scope = (session: string | null, entry: string | null) => ({
  session: session as SessionKey | null,
  entry,
  openDialog: vi.fn<ShortcutScope['openDialog']>(),
  changeView: vi.fn<ShortcutScope['changeView']>(),
  openFolder: vi.fn<ShortcutScope['openFolder']>(),
  focusFilter: vi.fn<ShortcutScope['focusFilter']>(),
  toggleProject: vi.fn<ShortcutScope['toggleProject']>(),
  movePane: vi.fn<ShortcutScope['movePane']>()
})

const press = (keys: string, on: ShortcutScope) => shortcuts.find((shortcut) => shortcut.keys === keys)?.run(on)

test('no key is bound twice', () => {
  expect(new Set(shortcuts.map(({ keys }) => keys)).size).toBe(shortcuts.length)
})

test('what needs an entry does nothing without one', () => {
  const nothing = scope('s', null)
  for (const keys of ['b', 'e']) press(keys, nothing)
  press('Shift+e', scope(null, null))
  expect(nothing.openDialog).not.toHaveBeenCalled()
})

test('a branch, a path and the whole file each open their dialog', () => {
  const at = scope('s', 'e1')
  for (const keys of ['b', 'e', 'Shift+e']) press(keys, at)
  expect(at.openDialog.mock.calls.flat()).toEqual([
    { kind: 'branch', session: 's', entry: 'e1' },
    { kind: 'export', session: 's', entry: 'e1' },
    { kind: 'export', session: 's', entry: null }
  ])
})
