import type { MenuItemConstructorOptions } from 'electron'
import { expect, test } from 'vitest'
import type { FolderKey } from '#shared/model/keys.ts'
import { appMenu } from './app-menu.ts'

const key = 'one' as FolderKey

function menu(platform: NodeJS.Platform, recent = [{ key, path: '/home/me/R&D' }]) {
  const log: unknown[] = []
  const template = appMenu(platform, recent, {
    openFolder: () => log.push('open'),
    openRecent: (folder) => log.push(folder),
    ask: (dialog) => log.push(dialog)
  })
  return { log, template, items: flat(template) }
}

const below = ({ submenu }: MenuItemConstructorOptions) => (Array.isArray(submenu) ? submenu : [])
const flat = (items: MenuItemConstructorOptions[]): MenuItemConstructorOptions[] =>
  items.flatMap((item) => [item, ...flat(below(item))])
const click = (items: MenuItemConstructorOptions[], label: string) => {
  const found = items.find((item) => item.label === label)
  found?.click?.(undefined as never, undefined, undefined as never)
}

test.each(['linux', 'win32', 'darwin'] as const)('every item of ours on %s does what it says', (platform) => {
  const { log, items } = menu(platform)
  for (const label of ['Open folder…', '/home/me/R&&D', 'Settings…', 'Find a session or a command', 'Shortcuts'])
    click(items, label)
  expect(log).toEqual(['open', key, 'settings', 'palette', 'shortcuts'])
})

test('no item reloads the page or opens developer tools', () => {
  const roles = menu('darwin').items.map(({ role }) => role)
  for (const role of ['reload', 'forceReload', 'toggleDevTools', 'viewMenu'] as const) expect(roles).not.toContain(role)
})

test('keys that the page has too are shown, and left to it', () => {
  const withKeys = menu('linux').items.filter(({ accelerator }) => accelerator !== undefined)
  expect(withKeys).toHaveLength(3)
  for (const item of withKeys) expect(item.registerAccelerator).toBe(false)
})

test('on macOS the settings stand in the menu of the app; without recent folders theirs is grey', () => {
  const { template } = menu('darwin', [])
  expect(template[0]?.role).toBe('appMenu')
  expect(below(template[0]!).map(({ label }) => label)).toContain('Settings…')
  expect(flat(template).find(({ label }) => label === 'Open recent')).toMatchObject({ enabled: false, submenu: [] })
})
