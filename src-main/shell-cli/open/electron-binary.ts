import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

export type ElectronBinary =
  | { readonly kind: 'found'; readonly path: string; readonly why: string }
  | { readonly kind: 'missing'; readonly why: string }

/** The part of `@electron/get` that is used: it knows mirrors, checksums and the download cache. */
interface ElectronGet {
  downloadArtifact(details: {
    readonly version: string
    readonly artifactName: 'electron'
    readonly checksums: unknown
    readonly downloadOptions: {
      readonly quiet: true
      readonly signal: AbortSignal
      readonly getProgressCallback: (progress: { readonly transferred: number; readonly total: number | null }) => void
    }
  }): Promise<string>
}

const patience = 5000
const day = 24 * 60 * 60 * 1000

/** Electron's binary in `root`'s `node_modules`, fetched if need be. A failed fetch is remembered for a day, save where `insist` is true. */
export async function electronBinary(
  root: string,
  insist: boolean,
  say: (text: string) => void
): Promise<ElectronBinary> {
  const electron = electronFolder(root)
  if (electron === undefined) return { kind: 'missing', why: 'Electron is not installed' }
  const installed = installedBinary(electron)
  if (installed !== undefined) return { kind: 'found', path: installed, why: "Electron's binary is installed" }

  const failed = join(root, 'node_modules', '.cache', 'treeline', 'electron-not-fetched')
  const before = insist ? undefined : lastFailure(failed)
  if (before !== undefined) return { kind: 'missing', why: `${before}; it is tried again after a day` }
  try {
    await fetchBinary(electron, say)
    const fetched = installedBinary(electron)
    if (fetched === undefined) throw new Error('it is not where it should be')
    rmSync(failed, { force: true })
    return { kind: 'found', path: fetched, why: "Electron's binary was fetched" }
  } catch (error) {
    const why = `Electron's binary could not be fetched: ${reasonOf(error)}`
    remember(failed, why)
    return { kind: 'missing', why }
  }
}

function electronFolder(root: string): string | undefined {
  try {
    return dirname(createRequire(join(root, 'package.json')).resolve('electron/package.json'))
  } catch {
    return undefined
  }
}

function installedBinary(electron: string): string | undefined {
  const pathFile = join(electron, 'path.txt')
  if (!existsSync(pathFile)) return undefined
  const dist = process.env['ELECTRON_OVERRIDE_DIST_PATH'] ?? join(electron, 'dist')
  const path = join(dist, readFileSync(pathFile, 'utf8'))
  return existsSync(path) ? path : undefined
}

async function fetchBinary(electron: string, say: (text: string) => void): Promise<void> {
  const require = createRequire(join(electron, 'package.json'))
  const { downloadArtifact } = (await import(pathToFileURL(require.resolve('@electron/get')).href)) as ElectronGet
  const { version } = require('./package.json') as { readonly version: string }
  const connecting = new AbortController()
  const timer = setTimeout(() => connecting.abort(new Error('no answer within 5 seconds')), patience)
  let shown = 0
  say(`Fetching Electron ${version}, once\n`)
  try {
    await downloadArtifact({
      version,
      artifactName: 'electron',
      checksums: require('./checksums.json'),
      downloadOptions: {
        quiet: true,
        signal: connecting.signal,
        getProgressCallback({ transferred, total }) {
          clearTimeout(timer)
          const part = total === null ? 0 : Math.floor((transferred / total) * 10)
          if (part > shown) say(part === 10 ? '100 %\n' : `${part}0 % `)
          shown = part
        }
      }
    })
  } finally {
    clearTimeout(timer)
  }
  // Electron's own installer finds the archive in the download cache and unpacks it.
  const child = spawn(process.execPath, [join(electron, 'install.js')], { stdio: ['ignore', 'ignore', 'inherit'] })
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0) throw new Error('it could not be unpacked')
}

function lastFailure(file: string): string | undefined {
  try {
    return Date.now() - statSync(file).mtimeMs < day ? readFileSync(file, 'utf8') : undefined
  } catch {
    return undefined
  }
}

function remember(file: string, why: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, why)
  } catch {
    // A folder that cannot be written to costs five seconds at each start, no more.
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { code, message } =
    error.cause instanceof Error ? (error.cause as NodeJS.ErrnoException) : (error as NodeJS.ErrnoException)
  return (code ?? message).split('\n', 1)[0] ?? ''
}
