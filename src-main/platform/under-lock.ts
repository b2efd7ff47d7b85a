import { readFileSync, rmSync, unlinkSync, writeFileSync } from 'node:fs'
import { Refusal } from '#shared/contract/refusal.ts'
import { pause } from './pause.ts'

const patienceMs = 10_000
const pauseMs = 5

/**
 * Takes a step while no other process takes one under the same lock, a file that is there as long. A lock whose process
 * has ended counts for nothing. Refused as `read-only` where it is not free within ten seconds.
 */
export function underLock<T>(path: string, step: () => T): T {
  const until = performance.now() + patienceMs
  while (!isTaken(path)) {
    const holder = holderOf(path)
    if (holder !== null && !isAlive(holder)) rmSync(path, { force: true })
    else if (performance.now() < until) pause(pauseMs)
    else throw inUse(path, holder)
  }
  try {
    return step()
  } finally {
    unlinkSync(path)
  }
}

/** Whether the lock is ours now. */
function isTaken(path: string): boolean {
  try {
    writeFileSync(path, String(process.pid), { flag: 'wx', mode: 0o600 })
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  }
}

/** The process that holds a lock; null where it has just let go, or has just taken it. */
function holderOf(path: string): number | null {
  try {
    const text = readFileSync(path, 'utf8')
    return /^\d+$/.test(text) ? Number(text) : null
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null
    throw error
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return codeOf(error) !== 'ESRCH'
  }
}

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code

const inUse = (path: string, holder: number | null) =>
  new Refusal(
    'read-only',
    `Process ${holder ?? 'unknown'} holds ${path}. Nothing was written; wait for it, or remove the file if it has ended.`,
    { file: path }
  )
