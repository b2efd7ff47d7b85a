import { execFile } from 'node:child_process'
import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs'

export interface OpenWriter {
  readonly pid: number
  readonly name: string
}

/** Processes that hold a file open for writing, as far as they are ours to see; null where that cannot be known. */
export function openWriters(path: string): Promise<readonly OpenWriter[] | null> {
  if (process.platform === 'linux') return Promise.resolve(writersInProc(path))
  return process.platform === 'win32' ? Promise.resolve(null) : writersByLsof(path)
}

function writersInProc(path: string): readonly OpenWriter[] | null {
  const file = statSync(path, { bigint: true })
  const processes = attempt(() => readdirSync('/proc'))
  if (processes === undefined) return null
  return processes
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      // Other people's processes cannot be looked into.
      const descriptors = attempt(() => readdirSync(`/proc/${pid}/fd`)) ?? []
      const isWriter = descriptors.some((fd) => {
        if (attempt(() => readlinkSync(`/proc/${pid}/fd/${fd}`))?.startsWith('/') !== true) return false
        const open = attempt(() => statSync(`/proc/${pid}/fd/${fd}`, { bigint: true }))
        return open?.ino === file.ino && open.dev === file.dev && isForWriting(`/proc/${pid}/fdinfo/${fd}`)
      })
      return isWriter ? [{ pid: Number(pid), name: nameOf(pid) }] : []
    })
}

/** The lowest two bits of the flags, in octal, are 0 where a file is open for reading only. */
function isForWriting(info: string): boolean {
  const flags = /^flags:\s+([0-7]+)$/m.exec(attempt(() => readFileSync(info, 'utf8')) ?? '')?.[1] ?? '0'
  return (Number.parseInt(flags, 8) & 3) !== 0
}

const nameOf = (pid: string): string => attempt(() => readFileSync(`/proc/${pid}/comm`, 'utf8').trim()) ?? 'a program'

/** A process may end while it is looked at. */
function attempt<T>(look: () => T): T | undefined {
  try {
    return look()
  } catch {
    return undefined
  }
}

/** lsof prints a line for each process (p), its command (c), and a file's access (a): r, w or u for both. */
function writersByLsof(path: string): Promise<readonly OpenWriter[] | null> {
  return new Promise((done) => {
    execFile('lsof', ['-F', 'pca', '--', path], (error, output) => {
      // It ends with 1 where nobody has the file open.
      if (error !== null && error.code !== 1) done(null)
      else done(writersIn(output))
    })
  })
}

export function writersIn(output: string): readonly OpenWriter[] {
  const writers = new Map<number, OpenWriter>()
  let current: OpenWriter = { pid: 0, name: 'a program' }
  for (const line of output.split('\n')) {
    const value = line.slice(1)
    if (line.startsWith('p')) current = { pid: Number(value), name: 'a program' }
    else if (line.startsWith('c')) current = { ...current, name: value }
    else if (line === 'aw' || line === 'au') writers.set(current.pid, current)
  }
  return [...writers.values()]
}
