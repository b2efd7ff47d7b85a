import type { MenuItemConstructorOptions } from 'electron'
import type { AskedDialog } from '#main/engine/types.ts'
import type { FolderKey } from '#shared/model/keys.ts'

export interface MenuActs {
  readonly openFolder: () => void
  readonly openRecent: (folder: FolderKey) => void
  readonly ask: (dialog: AskedDialog) => void
}

export interface RecentFolder {
  readonly key: FolderKey
  readonly path: string
}

/** The application's menu. The page has the same keys: the menu shows them and leaves them to it. */
export function appMenu(
  platform: NodeJS.Platform,
  recent: readonly RecentFolder[],
  acts: MenuActs
): MenuItemConstructorOptions[] {
  const isMac = platform === 'darwin'
  const shown = (accelerator: string) => ({ accelerator, registerAccelerator: false })
  const settings: MenuItemConstructorOptions = {
    label: 'Settings…',
    ...shown('CommandOrControl+,'),
    click: () => acts.ask('settings')
  }
  const separator = { type: 'separator' } as const
  const own: MenuItemConstructorOptions = {
    role: 'appMenu',
    submenu: [
      { role: 'about' },
      separator,
      settings,
      separator,
      { role: 'services' },
      separator,
      { role: 'hide' },
      { role: 'hideOthers' },
      { role: 'unhide' },
      separator,
      { role: 'quit' }
    ]
  }
  return [
    ...(isMac ? [own] : []),
    {
      label: '&File',
      submenu: [
        { label: 'Open folder…', ...shown('CommandOrControl+O'), click: acts.openFolder },
        {
          label: 'Open recent',
          enabled: recent.length > 0,
          submenu: recent.map(({ key, path }) => ({ label: asLabel(path), click: () => acts.openRecent(key) }))
        },
        separator,
        ...(isMac ? [{ role: 'close' } as const] : [settings, separator, { role: 'quit' } as const])
      ]
    },
    { role: 'editMenu' },
    {
      label: '&View',
      submenu: [
        { label: 'Find a session or a command', ...shown('CommandOrControl+K'), click: () => acts.ask('palette') },
        separator,
        { role: 'resetZoom' },
        { role: 'zoomIn' },
        { role: 'zoomOut' },
        separator,
        { role: 'togglefullscreen' }
      ]
    },
    { role: 'windowMenu' },
    { role: 'help', submenu: [{ label: 'Shortcuts', click: () => acts.ask('shortcuts') }] }
  ]
}

/** A `&` in a menu would mark a letter instead of being one. */
const asLabel = (path: string): string => path.replaceAll('&', '&&')
