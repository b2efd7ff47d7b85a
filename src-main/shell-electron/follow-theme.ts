import type { NativeTheme } from 'electron'
import type { Calls, Events } from '#shared/contract/contract.ts'
import type { Client } from '#shared/rpc/client.ts'

/** Gives the system's own menus and dialogs the theme that the person chose for the page. */
export async function followTheme(
  client: Client<Calls, Events>,
  nativeTheme: Pick<NativeTheme, 'themeSource'>
): Promise<void> {
  const follow = async () => {
    nativeTheme.themeSource = (await client.call('settings.get', {})).settings.theme
  }
  client.on('settings.changed', () => void follow())
  await follow()
}
