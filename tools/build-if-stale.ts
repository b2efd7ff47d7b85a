import { createHash } from 'node:crypto'
import { globSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { commandOf, root, runNode } from './run.ts'

const sources = [
  'src-main/**',
  'src-renderer/**',
  'src-shared/**',
  'electron.vite.config.ts',
  'package.json',
  'package-lock.json'
]
const stamp = join(root, 'out', 'built-from')

/** Builds what has changed since the last build. Several processes at once build one after another. Throws with the build's output where it fails. */
export async function buildIfStale(): Promise<void> {
  if (isFresh()) return
  using _lock = buildLock()
  if (!isFresh()) await build()
}

/** Builds and notes what from. */
export async function build(): Promise<void> {
  const from = fingerprint()
  rmSync(stamp, { force: true })
  console.error('Building…')
  const steps = [
    [commandOf('electron-vite'), 'build', '--logLevel', 'warn'],
    // Types of what package.json exports.
    [commandOf('typescript', 'tsc'), '-p', 'tsconfig.api.json']
  ]
  for (const { ok, output } of await Promise.all(steps.map((step) => runNode(step, 'later')))) {
    if (!ok) throw new Error(`The build failed.\n${output}`)
  }
  writeFileSync(stamp, from)
}

function isFresh(): boolean {
  try {
    return readFileSync(stamp, 'utf8') === fingerprint()
  } catch {
    return false
  }
}

/** Names, sizes and times of everything that goes into the build. */
function fingerprint(): string {
  const hash = createHash('sha256')
  for (const name of globSync(sources, { cwd: root }).toSorted()) {
    const { size, mtimeMs } = statSync(join(root, name))
    hash.update(`${name}\n${size}\n${mtimeMs}\n`)
  }
  return hash.digest('hex')
}

/** An exclusive lock that the system gives back when its holder dies. */
function buildLock(): Disposable {
  const folder = join(root, 'node_modules', '.cache', 'treeline')
  mkdirSync(folder, { recursive: true })
  const lock = new DatabaseSync(join(folder, 'build-lock'))
  lock.exec('PRAGMA busy_timeout = 120000; BEGIN EXCLUSIVE')
  return { [Symbol.dispose]: () => lock.close() }
}
