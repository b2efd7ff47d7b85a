import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** What an agent's own program makes of a file that we wrote, beside what we say that it will. */
export interface Comparison {
  readonly agent: string
  /** What kind of file. */
  readonly how: string
  readonly file: string
  readonly ours: unknown
  readonly theirs: unknown
}

/** Installs what a `package.json` names, with the scripts that will run there. Nothing of it is a dependency, and none of its own scripts runs. */
export function install(folder: string, manifest: object, scripts: readonly string[]): void {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module', ...manifest }))
  const npm = process.env['npm_execpath']
  if (npm === undefined) throw new Error('Start it by `npm run oracle`.')
  console.log(`Installing into ${folder}…`)
  run(folder, npm, ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel', 'error'])
  for (const script of scripts) copyFileSync(script, join(folder, basename(script)))
}

/** What a script prints. Throws where it fails. */
export function run(folder: string, script: string, args: readonly string[], program = process.execPath): string {
  const { status, stdout, stderr } = spawnSync(program, [script, ...args], {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 2 ** 30,
    env: { ...process.env, HOME: dirname(folder) }
  })
  if (status === 0) return stdout
  throw new Error(`${program} ${script} failed.\n${stdout}${stderr}`)
}
