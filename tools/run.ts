import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

export const root = resolve(import.meta.dirname, '..')

/** Path of the script behind a package's command, to be run by this very Node and not by the one on PATH. */
export function commandOf(packageName: string, command = packageName): string {
  const folder = join(root, 'node_modules', packageName)
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    bin: string | Record<string, string>
  }
  const script = typeof bin === 'string' ? bin : bin[command]
  if (script === undefined) throw new Error(`${packageName} has no command ${command}.`)
  return join(folder, script)
}

export interface Outcome {
  readonly ok: boolean
  /** What was printed, both streams as they came; empty where it was shown at once. */
  readonly output: string
}

/** Runs a script by this Node in the project's folder, without standard input. */
export function runNode(
  args: readonly string[],
  show: 'at once' | 'later',
  env: NodeJS.ProcessEnv = {}
): Promise<Outcome> {
  const { promise, resolve: done, reject } = Promise.withResolvers<Outcome>()
  const stream = show === 'at once' ? 'inherit' : 'pipe'
  const child = spawn(process.execPath, args, {
    cwd: root,
    stdio: ['ignore', stream, stream],
    env: { ...process.env, ...env }
  })
  const chunks: Buffer[] = []
  child.stdout?.on('data', (chunk: Buffer) => chunks.push(chunk))
  child.stderr?.on('data', (chunk: Buffer) => chunks.push(chunk))
  child.on('error', reject)
  child.on('close', (code) => done({ ok: code === 0, output: Buffer.concat(chunks).toString() }))
  return promise
}
