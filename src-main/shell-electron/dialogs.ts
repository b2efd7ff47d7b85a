import type { BaseWindow, Dialog, Shell } from 'electron'
import type { ShellPowers } from '#main/engine/types.ts'

export interface DialogDeps {
  readonly dialog: Pick<Dialog, 'showOpenDialog' | 'showSaveDialog' | 'showMessageBox'>
  readonly shell: Pick<Shell, 'showItemInFolder' | 'openExternal'>
  readonly window: BaseWindow
}

/** What the person can do in the system's own windows. */
export function nativePowers({
  dialog,
  shell,
  window
}: DialogDeps): Required<Pick<ShellPowers, 'chooseFolder' | 'chooseTarget' | 'reveal'>> {
  return {
    async chooseFolder() {
      const { filePaths } = await dialog.showOpenDialog(window, { properties: ['openDirectory'] })
      return filePaths[0]
    },
    async chooseTarget(name) {
      const { canceled, filePath } = await dialog.showSaveDialog(window, { defaultPath: name })
      return canceled ? undefined : filePath
    },
    reveal: (path) => shell.showItemInFolder(path)
  }
}

/** Opens an address in the person's browser once they have seen it and agreed. */
export async function openOutside({ dialog, shell }: Omit<DialogDeps, 'window'>, url: string): Promise<void> {
  const { response } = await dialog.showMessageBox({
    type: 'question',
    message: 'Open this address in your browser?',
    detail: url,
    buttons: ['Cancel', 'Open'],
    defaultId: 0,
    cancelId: 0
  })
  if (response === 1) await shell.openExternal(url)
}
