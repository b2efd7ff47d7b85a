import type { Menu } from 'electron'
import type { Engine, ShellPowers } from '#main/engine/types.ts'
import { appMenu, type MenuActs } from './app-menu.ts'

/** Sets the application's menu, and sets it again when other folders were opened last. `failed` is told what could not be opened. */
export async function followMenu(
  engine: Pick<Engine, 'client' | 'askFor'>,
  powers: ShellPowers,
  menu: Pick<typeof Menu, 'buildFromTemplate' | 'setApplicationMenu'>,
  platform: NodeJS.Platform,
  failed: (error: unknown) => void
): Promise<void> {
  const client = engine.client(powers)
  const acts: MenuActs = {
    openFolder: () => void client.call('folder.dialog', {}).catch(failed),
    openRecent: (folder) => void client.call('folder.open', { folder }).catch(failed),
    ask: (dialog) => engine.askFor(dialog)
  }
  let shown: string | null = null
  const follow = async () => {
    const recent = (await client.call('folder.list', {})).offered.filter((offer) => offer.recent)
    const paths = JSON.stringify(recent.map(({ path }) => path))
    if (paths === shown) return
    shown = paths
    menu.setApplicationMenu(menu.buildFromTemplate(appMenu(platform, recent, acts)))
  }
  client.on('folder.changed', () => void follow())
  await follow()
}
