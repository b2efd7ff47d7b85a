import { copyFileSync, globSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../run.ts'
import { type Comparison, install, run } from './programs.ts'
import { type Agent, writeFiles } from './written-files.ts'

const dependencies = {
  '@earendil-works/pi-coding-agent': '1.6.0',
  '@oh-my-pi/pi-coding-agent': '18.2.3',
  bun: '1.4.5'
}
const managers: Readonly<Record<Agent, string>> = {
  pi: '@earendil-works/pi-coding-agent/dist/core/session-manager.js',
  omp: '@oh-my-pi/pi-coding-agent/src/session/session-manager.ts'
}
const filesAtOnce = 200

/** Every kind of file that we write for pi and omp, loaded by them: the leaf and the messages. */
export async function comparePiAndOmp(folder: string): Promise<readonly Comparison[]> {
  const programs = join(folder, 'programs')
  install(programs, { dependencies }, [join(import.meta.dirname, 'load-sessions.mjs')])
  const sources = globSync('src-main/formats/omp/fixtures/*.jsonl', { cwd: root }).map((name) => join(root, name))
  const readable = sources.filter((path) => !path.endsWith('no-header.jsonl'))
  const written = await writeFiles(readable, join(folder, 'sessions'))
  return (['pi', 'omp'] as const).flatMap((agent) => {
    const files = written.filter((file) => file.agent === agent)
    const theirs = loaded(
      folder,
      programs,
      agent,
      files.map(({ file }) => file)
    )
    return files.map(({ how, file, leaf, messages }, at) => ({
      agent,
      how,
      file,
      ours: { leaf, messages },
      theirs: theirs[at] ?? null
    }))
  })
}

/** What an agent makes of files. It gets copies: it may write to what it loads. */
function loaded(folder: string, programs: string, agent: Agent, files: readonly string[]): readonly unknown[] {
  const copies = join(folder, 'copies', agent === 'omp' ? '.omp' : 'pi')
  mkdirSync(copies, { recursive: true })
  const paths = files.map((file, index) => {
    const path = join(copies, `${index}.jsonl`)
    copyFileSync(file, path)
    return path
  })
  const bun = join(programs, 'node_modules', '@oven', `bun-${process.platform}-${process.arch}`, 'bin', 'bun')
  const manager = join(programs, 'node_modules', managers[agent])
  const lines: string[] = []
  for (let from = 0; from < paths.length; from += filesAtOnce) {
    const args = [manager, ...paths.slice(from, from + filesAtOnce)]
    const printed = run(programs, 'load-sessions.mjs', args, agent === 'omp' ? bun : process.execPath)
    lines.push(...printed.trimEnd().split('\n'))
  }
  return lines.map((line): unknown => JSON.parse(line))
}
