import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'

const entry = resolve(import.meta.dirname, '../out/main/browser.js')

/** The built browser shell, started for a measurement. */
export interface MeasuredShell extends AsyncDisposable {
  readonly url: string
  /** By `performance.now`. */
  readonly startedAt: number
  /** Milliseconds of processor time so far; null where the system does not say. */
  cpu(): number | null
  /** The most memory it had so far, in bytes; null where the system does not say. */
  peakMemory(): number | null
}

/** Starts the shell on a file or folder with an index of its own, and waits until its page can be opened. */
export async function startMeasured(home: string, path: string, index: string): Promise<MeasuredShell> {
  const startedAt = performance.now()
  const child = spawn(process.execPath, [entry, path, '--index', index, '--shell', 'browser', '--no-open', '--json'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: process.env['PATH'], HOME: home }
  })
  const ended = once(child, 'close')
  const first = await createInterface({ input: child.stdout })[Symbol.asyncIterator]().next()
  const { url } = JSON.parse(String(first.value ?? '{}')) as { readonly url?: string }
  if (url === undefined) throw new Error('The shell did not start.')
  const proc = (name: string) => readFileSync(join('/proc', String(child.pid), name), 'utf8')
  return {
    url,
    startedAt,
    cpu: () => known(() => 10 * ticksOf(proc('stat'))),
    peakMemory: () => known(() => 1024 * Number(/VmHWM:\s*(\d+)/.exec(proc('status'))?.[1])),
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGINT')
      await ended
    }
  }
}

const known = (read: () => number): number | null => (process.platform === 'linux' ? read() : null)

/** User and system time of all threads, in hundredths of a second. */
function ticksOf(stat: string): number {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return Number(fields[11]) + Number(fields[12])
}
