// Has the agents' own programs load every kind of file that we write, and compares what they make of it with what we say.
import { spawnSync } from 'node:child_process'
import { copyFileSync, globSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { type Agent, writeFiles, type WrittenFile } from './oracle/written-files.ts'
import { root } from './run.ts'

const packages = ['@earendil-works/pi-coding-agent@1.6.0', '@oh-my-pi/pi-coding-agent@18.2.3', 'bun@1.4.5']
const managers: Readonly<Record<Agent, string>> = {
  pi: '@earendil-works/pi-coding-agent/dist/core/session-manager.js',
  omp: '@oh-my-pi/pi-coding-agent/src/session/session-manager.ts'
}
const filesAtOnce = 200

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'treeline-oracle-')))
const programs = join(folder, 'programs')
install()
const sources = globSync('src-main/formats/omp/fixtures/*.jsonl', { cwd: root }).map((name) => join(root, name))
const readable = sources.filter((path) => !path.endsWith('no-header.jsonl'))
const written = await writeFiles(readable, join(folder, 'sessions'))
const differences = (['pi', 'omp'] as const).flatMap((agent) => compare(agent))

for (const [how, files] of Map.groupBy(written, ({ agent, how: kind }) => `${agent}: ${kind}`)) {
  const wrong = files.filter((file) => differences.some(([one]) => one === file)).length
  console.log(
    `${wrong === 0 ? 'ok     ' : 'DIFFERS'} ${how}, ${files.length} files${wrong === 0 ? '' : `, ${wrong} differ`}`
  )
}
for (const [{ how, agent, file, leaf, messages }, theirs] of differences) {
  console.log(
    `\n${agent}, ${how}: ${file}\n  ours   ${JSON.stringify({ leaf, messages })}\n  theirs ${JSON.stringify(theirs)}`
  )
}
if (differences.length > 0) process.exit(1)
rmSync(folder, { recursive: true })

/** Nothing of them is a dependency, and none of their scripts runs. */
function install(): void {
  mkdirSync(programs)
  writeFileSync(join(programs, 'package.json'), '{"private":true,"type":"module"}\n')
  const npm = process.env['npm_execpath']
  if (npm === undefined) throw new Error('Start it by `npm run oracle`.')
  console.log(`Installing ${packages.join(', ')}…`)
  run(npm, ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel', 'error', ...packages])
  copyFileSync(join(root, 'tools', 'oracle', 'load-sessions.mjs'), join(programs, 'load-sessions.mjs'))
}

function run(script: string, args: readonly string[], program = process.execPath): string {
  const { status, stdout, stderr } = spawnSync(program, [script, ...args], {
    cwd: programs,
    encoding: 'utf8',
    maxBuffer: 2 ** 30,
    env: { ...process.env, HOME: folder }
  })
  if (status === 0) return stdout
  throw new Error(`${program} ${script} failed.\n${stdout}${stderr}`)
}

/** Files of which an agent makes something else than we say. It gets copies: it may write to what it loads. */
function compare(agent: Agent): readonly (readonly [ours: WrittenFile, theirs: unknown])[] {
  const files = written.filter((file) => file.agent === agent)
  const copies = join(folder, 'copies', agent === 'omp' ? '.omp' : 'pi')
  mkdirSync(copies, { recursive: true })
  const paths = files.map(({ file }, index) => {
    const path = join(copies, `${index}.jsonl`)
    copyFileSync(file, path)
    return path
  })
  const bun = join(programs, 'node_modules', '@oven', `bun-${process.platform}-${process.arch}`, 'bin', 'bun')
  const lines: string[] = []
  for (let from = 0; from < paths.length; from += filesAtOnce) {
    const some = paths.slice(from, from + filesAtOnce)
    const manager = join(programs, 'node_modules', managers[agent])
    const printed = run('load-sessions.mjs', [manager, ...some], agent === 'omp' ? bun : process.execPath)
    lines.push(...printed.trimEnd().split('\n'))
  }
  return files.flatMap((file, index) => {
    const theirs: unknown = JSON.parse(lines[index] ?? 'null')
    const { leaf, messages } = file
    return isDeepStrictEqual(theirs, { leaf, messages }) ? [] : [[file, theirs] as const]
  })
}
