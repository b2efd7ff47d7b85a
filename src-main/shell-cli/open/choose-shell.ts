import { Refusal } from '#shared/contract/refusal.ts'
import type { ElectronBinary } from './electron-binary.ts'
import type { OpenRequest } from './open-request.ts'

export type ShellChoice =
  | { readonly kind: 'electron'; readonly binary: string; readonly why: string }
  | { readonly kind: 'browser'; readonly why: string }

export interface ChoiceDeps {
  readonly display: boolean
  readonly findElectron: (insist: boolean) => Promise<ElectronBinary>
}

/** Electron where its binary is or can be fetched and can show a window, else the browser shell. Throws a `Refusal` where Electron was asked for and is not to be had. */
export async function chooseShell(
  request: Pick<OpenRequest, 'shell' | 'window' | 'port'>,
  { display, findElectron }: ChoiceDeps
): Promise<ShellChoice> {
  const { shell } = request
  if (shell === 'browser' || shell === 'none') return { kind: 'browser', why: `asked for by --shell ${shell}` }
  if (shell === null && !request.window) return { kind: 'browser', why: 'because of --no-open' }
  if (shell === null && request.port !== 0) return { kind: 'browser', why: 'because of --port' }
  if (shell === null && !display) return { kind: 'browser', why: 'Electron needs a display' }
  const electron = await findElectron(shell === 'electron')
  if (electron.kind === 'found') return { kind: 'electron', binary: electron.path, why: electron.why }
  if (shell === 'electron') throw new Refusal('unsupported', `${electron.why}. Try --shell browser.`)
  return { kind: 'browser', why: electron.why }
}
