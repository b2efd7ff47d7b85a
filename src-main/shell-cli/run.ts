import { randomBytes } from 'node:crypto'
import { realpath } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Writable } from 'node:stream'
import type { Engine, ShellPowers } from '#main/engine/types.ts'
import { requireWorkingFolder } from '#main/platform/working-folder.ts'
import { Refusal } from '#shared/contract/refusal.ts'
import type { Command, CommandResult, Desk, Prepared, Question } from './command.ts'
import { commands } from './commands.ts'
import { exitCodes, failureOf } from './failure.ts'
import { jsonChunks } from './json-chunks.ts'
import { lookOf } from './look.ts'
import { table } from './table.ts'
import { UsageError } from './usage-error.ts'
import { writeChunks } from './write-chunks.ts'

type Output = Writable & { readonly columns?: number }

/** What the process hands to the command line. */
export interface CommandLine {
  readonly argv: readonly string[]
  /** Where relative paths begin; null where that folder is gone. */
  readonly cwd: string | null
  readonly stdout: Output
  readonly stderr: Output
  /** Opens the index at the path given, or at its usual place. */
  readonly openEngine: (index: string | undefined, log: (line: string) => void) => Engine | Promise<Engine>
  /** Opens the window and returns its exit code once it is closed; it reads the arguments and reports failures by itself. */
  readonly openApp: (argv: readonly string[]) => Promise<number>
  readonly version: string
  /** Aborted when the person interrupts. */
  readonly signal: AbortSignal
}

/** Runs one command; returns the exit code once everything is written and closed. */
export async function runCommandLine(line: CommandLine): Promise<number> {
  const log: string[] = []
  const reportBug = (error: unknown) => {
    const id = randomBytes(4).toString('hex')
    log.push(`${id} ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`)
    return id
  }
  const [name, ...argv] = line.argv
  const command = commands.find((one) => one.name === name)
  let question: Question | undefined
  try {
    if (name === undefined) throw new UsageError('Which command? "treeline --help" lists them.')
    if (name === '--help' || name === '-h' || name === 'help') return await help(line, commands)
    if (command === undefined)
      throw new UsageError(`There is no command "${name}". There are: ${commands.map((one) => one.name).join(', ')}.`)
    const prepared = prepareCommand(command, argv)
    if (prepared.kind === 'help') return await help(line, [command])
    if (prepared.kind === 'open') return await line.openApp(prepared.argv)
    question = prepared
    const { value, lines, complaint } = await answer(command, question, line, (text) => log.push(text))
    await writeChunks(
      line.stdout,
      question.json ? jsonText(value) : withLineFeeds(lines(lookOf(line.stdout))),
      line.signal
    )
    if (complaint !== undefined) await complain(line, command, complaint)
    return complaint === undefined ? exitCodes.done : exitCodes.refused
  } catch (error) {
    if (line.signal.aborted) return exitCodes.interrupted
    const typed = question?.subject
    const subject = typed === undefined || line.cwd === null ? null : await realPath(resolve(line.cwd, typed))
    const failure = failureOf(error, subject, reportBug)
    if (question?.json === true && failure.value !== undefined) await writeChunks(line.stdout, jsonText(failure.value))
    if (failure.line !== '') await complain(line, command, failure.line)
    if (failure.exitCode === exitCodes.bug) await writeChunks(line.stderr, withLineFeeds(log))
    return failure.exitCode
  }
}

function prepareCommand(command: Command, argv: readonly string[]): Prepared {
  try {
    return command.prepare(argv)
  } catch (error) {
    if (error instanceof UsageError) throw new UsageError(`${error.message} Usage: treeline ${command.synopsis}`)
    throw error
  }
}

async function answer(
  command: Command,
  question: Question,
  line: CommandLine,
  log: (text: string) => void
): Promise<CommandResult> {
  const cwd = requireWorkingFolder(line.cwd)
  const powers: ShellPowers = {
    info: { version: line.version, shell: 'none', why: 'the command line', nativeDialog: false, reveal: false }
  }
  const open = async () => {
    const engine = await line.openEngine(indexOf(question, cwd), log)
    return { engine, client: engine.client(powers) }
  }
  let opened: ReturnType<typeof open> | undefined
  const desk: Desk = {
    ask: () => (opened ??= open()),
    agent: question.agent,
    json: question.json,
    signal: line.signal,
    tell: (text) => complain(line, command, text),
    resolve: (typed) => resolve(cwd, typed)
  }
  try {
    return await untilAborted(question.run(desk), line.signal)
  } finally {
    const held = await opened?.catch(() => undefined)
    await held?.engine.close()
  }
}

const indexOf = ({ index }: Question, cwd: string) =>
  index === undefined || index === ':memory:' ? index : resolve(cwd, index)

/** The result, or a refusal `cancelled` as soon as the signal is aborted. */
async function untilAborted<T>(result: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const abort = () => reject(new Refusal('cancelled', 'Interrupted.'))
  if (signal.aborted) abort()
  signal.addEventListener('abort', abort)
  try {
    return await Promise.race([result, promise])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

const realPath = (path: string) => realpath(path).catch(() => path)

function* jsonText(value: unknown): Generator<string> {
  yield* jsonChunks(value)
  yield '\n'
}

/** Many lines at a time. */
function* withLineFeeds(lines: Iterable<string>): Generator<string> {
  let pending = ''
  for (const one of lines) {
    pending += `${one}\n`
    if (pending.length < 1 << 16) continue
    yield pending
    pending = ''
  }
  if (pending !== '') yield pending
}

const complain = ({ stderr }: CommandLine, command: Command | undefined, text: string) =>
  writeChunks(stderr, [`treeline${command === undefined ? '' : ` ${command.name}`}: ${text}\n`])

async function help({ stdout }: CommandLine, about: readonly Command[]): Promise<number> {
  const usage = [
    'Usage: treeline COMMAND …',
    '',
    ...about.flatMap((command) => [`  ${command.synopsis}`, `      ${command.about}`]),
    '',
    ...table([
      ['  --json', 'exactly one JSON value on standard output'],
      ['  --agent ID', "read the file as that agent's"],
      ['  --index PATH', 'keep the index elsewhere; ":memory:" keeps none']
    ])
  ]
  await writeChunks(stdout, withLineFeeds(usage))
  return exitCodes.done
}
