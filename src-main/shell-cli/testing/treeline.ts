import { mkdtempSync, rmSync, writeFileSync, mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { PassThrough } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { createEngine } from '#main/engine/create-engine.ts'
import { runCommandLine } from '#main/shell-cli/run.ts'

export interface Printed {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
  /** What `--json` printed; throws where that is not exactly one JSON value. */
  readonly json: <T>() => T
}

/** A folder for one test file, with an index of its own; remove it when done. */
export interface Workplace {
  readonly folder: string
  /** Runs the command line in this process over the real engine. */
  readonly treeline: (...argv: readonly string[]) => Promise<Printed>
  /** Writes a file below the folder and returns its path. */
  readonly write: (name: string, content: string | Buffer) => string
  readonly remove: () => void
}

export function makeWorkplace(): Workplace {
  const folder = mkdtempSync(join(tmpdir(), 'treeline-cli-'))
  const files = join(folder, 'files')
  mkdirSync(files)
  return {
    folder: files,
    treeline: (...argv) => run(argv, files, folder),
    write(name, content) {
      const path = join(files, name)
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, content)
      return path
    },
    remove: () => rmSync(folder, { recursive: true, force: true })
  }
}

async function run(argv: readonly string[], cwd: string, own: string): Promise<Printed> {
  const streams = { stdout: new PassThrough(), stderr: new PassThrough() }
  const printed = buffer(streams.stdout)
  const complained = buffer(streams.stderr)
  const exitCode = await runCommandLine({
    argv,
    cwd,
    ...streams,
    version: '0.0.0',
    openApp: async () => 0,
    signal: new AbortController().signal,
    openEngine: (index, log) =>
      createEngine({
        index: index ?? join(own, 'index.db'),
        dataFolder: join(own, 'data'),
        settings: null,
        samples: null,
        env: {},
        home: join(own, 'home'),
        worker: null,
        watch: false,
        log
      })
  })
  streams.stdout.end()
  streams.stderr.end()
  const [stdout, stderr] = [(await printed).toString(), (await complained).toString()]
  return { exitCode, stdout, stderr, json: <T>() => JSON.parse(stdout) as T }
}
