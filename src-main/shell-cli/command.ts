import { parseArgs, type ParseArgsConfig } from 'node:util'
import type { Engine } from '#main/engine/types.ts'
import type { Calls, Events } from '#shared/contract/contract.ts'
import { agentIds, type AgentId } from '#shared/model/agent.ts'
import type { Client } from '#shared/rpc/client.ts'
import type { Look } from './look.ts'
import { UsageError } from './usage-error.ts'

type Options = NonNullable<ParseArgsConfig['options']>

const commonOptions = {
  json: { type: 'boolean' },
  agent: { type: 'string' },
  index: { type: 'string' },
  help: { type: 'boolean', short: 'h' }
} as const satisfies Options

/** What a command works with. */
export interface Desk {
  /** The engine and a client on it, opened at the first call. */
  readonly ask: () => Promise<{ readonly engine: Engine; readonly client: Client<Calls, Events> }>
  readonly agent: AgentId | undefined
  readonly json: boolean
  readonly signal: AbortSignal
  /** Prints a line to stderr while the command goes on. */
  readonly tell: (text: string) => Promise<void>
  /** Absolute path of one that the person typed. */
  readonly resolve: (typed: string) => string
}

export interface CommandResult {
  /** The one JSON value. */
  readonly value: unknown
  /** The same for people, by lines without their line feeds. */
  readonly lines: (look: Look) => Iterable<string>
  /** A line for stderr; with it the exit code is 1. */
  readonly complaint?: string
}

/** A command with its arguments read, ready to run. */
export interface Question {
  readonly kind: 'ask'
  readonly json: boolean
  readonly index: string | undefined
  readonly agent: AgentId | undefined
  /** The file or folder that the command is about, as typed. */
  readonly subject: string | undefined
  readonly run: (desk: Desk) => Promise<CommandResult>
}

export type Prepared =
  | Question
  | { readonly kind: 'help' }
  /** The window; who starts it reads the arguments. */
  | { readonly kind: 'open'; readonly argv: readonly string[] }

export interface Command {
  readonly name: string
  readonly synopsis: string
  readonly about: string
  /** Throws a `UsageError`. */
  readonly prepare: (argv: readonly string[]) => Prepared
}

type Values<O extends Options> = ReturnType<typeof parseArgs<{ options: O }>>['values']

interface Definition<O extends Options> {
  readonly name: string
  /** The operand's name in messages. */
  readonly operand: string
  readonly operandOptional?: boolean
  /** The name of one that may follow. */
  readonly secondOperand?: string
  readonly synopsis: string
  readonly about: string
  readonly options: O
  /** Options that are known but cannot be used yet. */
  readonly later?: readonly string[]
  /** Throws a `UsageError` where the values do not go together. */
  readonly prepare: (
    values: Values<O>,
    operand: string | undefined,
    second: string | undefined
  ) => (desk: Desk) => Promise<CommandResult>
}

export function defineCommand<const O extends Options>(definition: Definition<O>): Command {
  const { name, synopsis, about } = definition
  return {
    name,
    synopsis,
    about,
    prepare(argv) {
      const { values, positionals } = read(definition, argv)
      const { help, json, index, agent }: Values<typeof commonOptions> = values
      if (help === true) return { kind: 'help' }
      const { secondOperand } = definition
      const [operand, second, ...rest] = positionals
      const more = secondOperand === undefined && second !== undefined ? [second, ...rest] : rest
      if (operand === undefined && definition.operandOptional !== true)
        throw new UsageError(`${definition.operand} is missing.`)
      if (more.length > 0) throw new UsageError(`One ${definition.operand} at a time; "${more[0]}" is too many.`)
      if (operand === '') throw new UsageError(`${definition.operand} is empty.`)
      return {
        kind: 'ask',
        json: json === true,
        index,
        agent: agentOf(agent),
        subject: operand,
        run: definition.prepare(values as Values<O>, operand, second)
      }
    }
  }
}

function read<O extends Options>({ options, later = [] }: Definition<O>, argv: readonly string[]) {
  const early = argv.find((argument) =>
    later.some((name) => argument === `--${name}` || argument.startsWith(`--${name}=`))
  )
  if (early !== undefined) throw new UsageError(`${early.split('=')[0]} is not available yet.`)
  try {
    return parseArgs({ args: [...argv], options: { ...options, ...commonOptions }, allowPositionals: true })
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message.replaceAll(/\s+/g, ' ') : String(error))
  }
}

function agentOf(typed: string | undefined): AgentId | undefined {
  const agent = agentIds.find((id) => id === typed)
  if (typed !== undefined && agent === undefined)
    throw new UsageError(`There is no agent "${typed}". Agents: ${agentIds.join(', ')}.`)
  return agent
}
