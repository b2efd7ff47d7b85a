import { appendFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** A home folder of a person who runs agents, in a temporary place; gone when disposed. */
export interface Home extends Disposable {
  /** Real path. */
  readonly path: string
  /** Where pi keeps sessions. */
  readonly sessions: string
  /** Writes a file below the home and gives its path. */
  write(name: string, content: string | Uint8Array): string
  /** Writes a pi session of the project `shop`, named by its file, and gives its path. */
  session(name: string, content: string | Uint8Array): string
  /** Adds to a file as an agent does, by another descriptor. */
  append(path: string, content: string): void
}

export function makeHome(): Home {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'treeline-home-')))
  const sessions = join(path, '.pi/agent/sessions')
  mkdirSync(sessions, { recursive: true })
  const write = (name: string, content: string | Uint8Array) => {
    const file = join(path, name)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, content)
    return file
  }
  return {
    path,
    sessions,
    write,
    session: (name, content) => write(`.pi/agent/sessions/--home-me-shop--/${name}.jsonl`, content),
    append: (file, content) => appendFileSync(file, content),
    [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true })
  }
}
