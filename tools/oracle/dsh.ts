import { mkdirSync, writeFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { encodeFrames } from '#main/formats/dsh/frames.ts'
import { encodedId } from '#main/formats/dsh/session-folder.ts'
import { type Log, logs } from './dsh-logs.ts'
import { branchPoints, startEngine } from './engine.ts'
import { type Comparison, install, run } from './programs.ts'

type Compression = 'none' | 'zstd'

interface Written {
  readonly id: string
  readonly how: string
  readonly file: string
  readonly version: number
  readonly compression: Compression
  readonly ours: {
    readonly parent: string
    readonly inherited: number
    readonly events: number
    readonly messages: readonly (readonly [role: string, text: string])[]
  }
}

const migrations = '@deepseek-ai/dsh-session-format'
/** What the migrations ask for was not all published: these are the nearest versions that were. */
const overrides = {
  '@deepseek-ai/dsh-invariants': '0.1.0-rc.8',
  '@deepseek-ai/dsh-llm': '$@deepseek-ai/dsh-llm',
  '@deepseek-ai/dsh-util-values': '0.1.2-alpha.2',
  [migrations]: '0.1.3-alpha.2',
  [`${migrations}-v0-to-v1`]: '0.1.3-alpha.2',
  [`${migrations}-v1-to-v2`]: `$${migrations}-v1-to-v2`
}

/**
 * Forks of dsh's sessions: those of v0 by its own backend, those of v2 and v3, of which only the readers are published,
 * by these.
 */
export async function compareDsh(folder: string): Promise<readonly Comparison[]> {
  const [backend, codecs] = [join(folder, 'backend'), join(folder, 'codecs')]
  const script = (name: string) => join(import.meta.dirname, name)
  const names = ['@deepseek-ai/dsh-session', '@deepseek-ai/dsh-session-persistence-jsonl']
  install(backend, { dependencies: Object.fromEntries(names.map((name) => [name, '0.1.0-rc.8'])) }, [
    script('load-dsh.mjs')
  ])
  writeMissingPackage(join(codecs, 'dsh-llm'))
  const dependencies = {
    '@deepseek-ai/dsh-llm': 'file:dsh-llm',
    [`${migrations}-v1-to-v2`]: '0.1.3-alpha.2',
    [`${migrations}-v2-to-v3`]: '0.1.5-alpha.1'
  }
  install(codecs, { dependencies, overrides }, [script('decode-dsh.mjs')])

  const written = await writeForks(folder)
  const first = (['none', 'zstd'] as const).flatMap((compression) => {
    const own = written.filter((file) => file.version === 0 && file.compression === compression)
    const ids = own.map(({ id }) => id)
    const theirs = linesOf(run(backend, 'load-dsh.mjs', [rootOf(folder, 0, compression), compression, ...ids]))
    return own.map((file, at) => ({ ...file, agent: 'dsh 0.1.0-rc.8', theirs: theirs[at] ?? null }))
  })
  const later = written.filter(({ version }) => version > 0)
  const theirs = linesOf(
    run(
      codecs,
      'decode-dsh.mjs',
      later.map(({ file }) => file)
    )
  )
  const decoded = later.map((file, at) => {
    const { parent, inherited, events } = file.ours
    return {
      ...file,
      agent: `dsh's reader of v${file.version}`,
      ours: { parent, inherited, events },
      theirs: theirs[at] ?? null
    }
  })
  return [...first, ...decoded]
}

/** The one class that the migrations import of a package that was not published; reading needs none of it. */
function writeMissingPackage(folder: string): void {
  mkdirSync(folder, { recursive: true })
  const manifest = { name: '@deepseek-ai/dsh-llm', version: '0.1.3', type: 'module', exports: './index.js' }
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest))
  writeFileSync(join(folder, 'index.js'), 'export class AssistantStreamAccumulator {}\n')
}

/** A root of dsh has one generation and one compression. */
const rootOf = (folder: string, version: number, compression: Compression): string =>
  join(folder, 'roots', `v${version}-${compression}`)

/** Forks of every log at up to twelve ends of turns, each as we say that dsh will see it; v0 also in frames. */
async function writeForks(folder: string): Promise<readonly Written[]> {
  const { engine, client } = await startEngine(folder)
  const written: Written[] = []
  try {
    for (const log of logs()) {
      for (const compression of log.version === 0 ? (['none', 'zstd'] as const) : (['none'] as const)) {
        const session = await engine.openFile(await place(log, rootOf(folder, log.version, compression)), null)
        for (const entry of await branchPoints(client, session)) {
          const { result } = await client.call('branch.write', { session, mode: 'new-file', entry })
          const fork = await engine.openFile(result.file, null)
          const { messages } = await client.call('entry.context', { session: fork })
          const said = messages.filter(({ kind }) => kind !== 'system')
          written.push({
            id: result.sessionId,
            how: `fork of v${log.version}, ${compression === 'none' ? 'raw' : 'in frames'}`,
            file: result.file,
            version: log.version,
            compression,
            ours: {
              parent: log.id,
              inherited: Number(entry) + 1,
              events: result.entries,
              messages: said.map(({ role, text }) => [role, text])
            }
          })
        }
      }
    }
  } finally {
    await engine.close()
  }
  return written
}

/** A log where dsh would keep it. */
async function place({ id, version, project, lines }: Log, root: string): Promise<string> {
  const directory = join(root, project, encodedId(id))
  mkdirSync(directory, { recursive: true })
  const name = `session${version === 0 ? '' : `.v${version}`}.jsonl`
  if (!root.endsWith('-zstd')) {
    writeFileSync(join(directory, name), lines)
    return join(directory, name)
  }
  await writeFile(join(directory, `${name}.zstd`), encodeFrames(chunksOf(lines)))
  return join(directory, `${name}.zstd`)
}

async function* chunksOf(lines: string): AsyncGenerator<Buffer> {
  yield Buffer.from(lines)
}

const linesOf = (printed: string): readonly unknown[] =>
  printed
    .trimEnd()
    .split('\n')
    .map((line): unknown => JSON.parse(line))
