import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import * as v from 'valibot'
import { shells, type Shell } from '#shared/contract/app.ts'
import { AgentId, agentIds } from '#shared/model/agent.ts'
import { UsageError } from '#main/shell-cli/usage-error.ts'

/** What a person asked to open; the path is absolute. */
export const OpenTarget = v.object({
  path: v.nullable(v.string()),
  entry: v.nullable(v.string()),
  agent: v.nullable(AgentId)
})
export type OpenTarget = v.InferOutput<typeof OpenTarget>

/** What to open, and how. */
export interface OpenRequest extends Readonly<OpenTarget> {
  /** Path of the index or `:memory:`; null for the platform's place. */
  readonly index: string | null
  readonly shell: Shell | null
  /** 0 lets the system choose. */
  readonly port: number
  readonly window: boolean
  readonly json: boolean
  /** Why this shell runs, once it is chosen. */
  readonly why: string
}

/** Throws a `UsageError` where the arguments make no sense. */
export function parseOpenRequest(argv: readonly string[], cwd: string): OpenRequest {
  const { values, positionals } = read(argv)
  const [path, ...more] = positionals
  if (more.length > 0) throw new UsageError(`One folder or file at a time; "${more[0]}" is too many.`)
  if (path === '') throw new UsageError('The folder or file has no name.')
  if (values.entry !== undefined && path === undefined) throw new UsageError('--entry needs a session file.')
  return {
    path: path === undefined ? null : resolve(cwd, path),
    entry: values.entry ?? null,
    agent: oneOf('--agent', agentIds, values.agent),
    index:
      values.index === undefined || values.index === ':memory:' ? (values.index ?? null) : resolve(cwd, values.index),
    shell: oneOf('--shell', shells, values.shell),
    port: portOf(values.port),
    window: values['no-open'] !== true && values.shell !== 'none',
    json: values.json === true,
    why: values.why ?? ''
  }
}

/** The arguments that `parseOpenRequest` reads as this request. */
export function openArguments(request: OpenRequest): string[] {
  const option = (name: string, value: string | null) => (value === null ? [] : [`--${name}=${value}`])
  return [
    ...option('entry', request.entry),
    ...option('agent', request.agent),
    ...option('index', request.index),
    ...option('shell', request.shell),
    `--port=${request.port}`,
    `--why=${request.why}`,
    ...(request.window ? [] : ['--no-open']),
    ...(request.json ? ['--json'] : []),
    ...(request.path === null ? [] : ['--', request.path])
  ]
}

function read(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: {
        entry: { type: 'string' },
        agent: { type: 'string' },
        index: { type: 'string' },
        shell: { type: 'string' },
        port: { type: 'string' },
        why: { type: 'string' },
        'no-open': { type: 'boolean' },
        json: { type: 'boolean' }
      }
    })
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message.replaceAll(/\s+/g, ' ') : String(error))
  }
}

function oneOf<T extends string>(option: string, known: readonly T[], typed: string | undefined): T | null {
  if (typed === undefined) return null
  const found = known.find((name) => name === typed)
  if (found === undefined) throw new UsageError(`${option} is one of ${known.join(', ')}, not "${typed}".`)
  return found
}

function portOf(typed: string | undefined): number {
  if (typed === undefined) return 0
  const port = Number(typed)
  if (!/^\d+$/.test(typed) || port > 65_535) throw new UsageError(`--port is a number up to 65535, not "${typed}".`)
  return port
}

/** The request of an Electron process: its arguments begin after the app's folder, or, in a package, after the program. */
export function openRequestOf(electron: {
  readonly argv: readonly string[]
  readonly defaultApp?: boolean
  readonly cwd: () => string
}): OpenRequest {
  const own = electron.argv.slice(1).filter((argument) => argument !== '--no-sandbox')
  return parseOpenRequest(own.slice(electron.defaultApp === true ? 1 : 0), electron.cwd())
}
