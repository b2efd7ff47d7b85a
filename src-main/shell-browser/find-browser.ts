import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { Launcher } from 'chrome-launcher'

type Env = Readonly<Record<string, string | undefined>>

/** Path of an installed Chrome, Chromium or Edge, which can show a page in a window of its own; undefined without one. */
export function findBrowser(env: Env, platform: NodeJS.Platform): string | undefined {
  return chrome() ?? othersOf(env, platform).find(existsSync)
}

function chrome(): string | undefined {
  try {
    return Launcher.getFirstInstallation()
  } catch {
    return undefined
  }
}

// chrome-launcher looks for Chrome, on Linux also for Chromium; these take the same options.
function othersOf(env: Env, platform: NodeJS.Platform): string[] {
  if (platform === 'darwin') {
    return ['Chromium', 'Microsoft Edge'].map((name) => `/Applications/${name}.app/Contents/MacOS/${name}`)
  }
  if (platform === 'win32') {
    const places = [env['PROGRAMFILES(X86)'], env['PROGRAMFILES'], env['LOCALAPPDATA']]
    return places.flatMap((place) => (place ? [join(place, 'Microsoft', 'Edge', 'Application', 'msedge.exe')] : []))
  }
  const folders = (env['PATH'] ?? '').split(delimiter).filter(Boolean)
  return ['microsoft-edge-stable', 'microsoft-edge'].flatMap((name) => folders.map((folder) => join(folder, name)))
}
