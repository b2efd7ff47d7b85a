import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync
} from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { Launcher } from 'chrome-launcher'

/** A Chromium that the tests can drive, and the environment that it needs besides the usual one. */
export interface TestBrowser {
  readonly executablePath: string
  readonly env: Readonly<Record<string, string>>
}

/** A headless build for Linux x64 that comes as an npm package; nothing of ours depends on it. */
const headless = {
  name: '@sparticuz/chromium',
  version: '153.0.0',
  sha512: 'jiGWqSvPMdu4+P9TilYqAR7yEGPEHINx+lCvE/NqNO/EHYzF/x1hUiI5T6ioVIt7dEy7n88byyT0vk+dnsgQwA=='
}

/** The installed Chromium, Chrome or Edge; else a headless build in the cache folder; else, for CI as root, Debian's package. */
export function findBrowser(): TestBrowser {
  const path = installed()
  if (path !== undefined) return { executablePath: path, env: {} }
  try {
    return cached()
  } catch (error) {
    if (process.env['CI'] === undefined || process.getuid?.() !== 0) {
      throw new Error('The browser tests need Chromium: install it, or name one by CHROME_PATH.', { cause: error })
    }
    console.log(`No headless build (${String(error)}): installing Debian's chromium.`)
    run('apt-get', ['update'])
    run('apt-get', ['install', '-y', '--no-install-recommends', 'chromium'])
    return { executablePath: '/usr/bin/chromium', env: {} }
  }
}

function installed(): string | undefined {
  try {
    return Launcher.getInstallations()[0]
  } catch {
    return undefined
  }
}

function cached(): TestBrowser {
  if (process.platform !== 'linux' || process.arch !== 'x64') throw new Error('The headless build is for Linux x64.')
  const cache = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'treeline')
  const folder = join(cache, `chromium-${headless.version}`)
  if (!existsSync(folder)) {
    console.log(`No Chromium is installed: fetching ${headless.name} ${headless.version} into ${folder}.`)
    mkdirSync(cache, { recursive: true })
    const fresh = mkdtempSync(join(cache, 'fetching-'))
    try {
      fetchInto(fresh, folder)
      renameSync(fresh, folder)
    } finally {
      rmSync(fresh, { recursive: true, force: true })
    }
  }
  return {
    executablePath: join(folder, 'chromium'),
    env: { LD_LIBRARY_PATH: join(folder, 'lib'), FONTCONFIG_FILE: join(folder, 'fonts.conf') }
  }
}

function fetchInto(folder: string, later: string): void {
  run('npm', ['pack', `${headless.name}@${headless.version}`, '--pack-destination', folder, '--silent'])
  const archive = join(folder, readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? 'missing')
  if (createHash('sha512').update(readFileSync(archive)).digest('base64') !== headless.sha512) {
    throw new Error(`${headless.name} ${headless.version} is not what it was.`)
  }
  run('tar', ['-xzf', archive, '-C', folder])

  const packed = join(folder, 'package/bin')
  for (const name of readdirSync(packed)) {
    const bytes = brotliDecompressSync(readFileSync(join(packed, name)))
    if (name.endsWith('.tar.br')) execFileSync('tar', ['-x', '--no-same-owner', '-C', folder], { input: bytes })
    else writeFileSync(join(folder, 'chromium'), bytes)
  }
  chmodSync(join(folder, 'chromium'), 0o755)
  const fonts = `<include ignore_missing="yes">/etc/fonts/fonts.conf</include><dir>${join(later, 'fonts')}</dir>`
  writeFileSync(join(folder, 'fonts.conf'), `<?xml version="1.0"?><fontconfig>${fonts}</fontconfig>\n`)

  rmSync(archive)
  rmSync(join(folder, 'package'), { recursive: true })
}

function run(command: string, args: readonly string[]): void {
  execFileSync(command, args, { stdio: ['ignore', 'ignore', 'inherit'] })
}
