import { InternalError, Refusal } from '#shared/contract/refusal.ts'
import { plainText } from './plain-text.ts'
import { UsageError } from './usage-error.ts'

export const exitCodes = { done: 0, refused: 1, usage: 2, bug: 3, interrupted: 130 } as const

/** How a command that did not succeed ends. */
export interface Failure {
  readonly exitCode: number
  /** One line for stderr, "" for none. */
  readonly line: string
  /** The one JSON value for stdout; undefined for none. */
  readonly value?: unknown
}

/** `file` is what the command was about, for refusals that do not say. `reportBug` logs and returns an id. */
export function failureOf(error: unknown, file: string | null, reportBug: (error: unknown) => string): Failure {
  if (error instanceof UsageError) return { exitCode: exitCodes.usage, line: error.message }
  if (error instanceof Refusal) {
    if (error.code === 'cancelled') return { exitCode: exitCodes.interrupted, line: '' }
    return refusal(error, error.file ?? file)
  }
  const id = error instanceof InternalError ? error.id : reportBug(error)
  const message =
    error instanceof InternalError ? error.message : `Treeline made a mistake (${id}): ${messageOf(error)}`
  return {
    exitCode: exitCodes.bug,
    line: plainText(message),
    value: { error: { code: 'internal', message, file, entry: null, nearest: [], id } }
  }
}

function refusal({ code, message, entry, nearest }: Refusal, file: string | null): Failure {
  const place = [
    ...(file === null || message.includes(file) ? [] : [file]),
    ...(entry === null || message.includes(entry) ? [] : [`entry ${entry}`])
  ]
  const what = code === 'not-found' ? 'Nearest ids' : 'Nearest entries that work'
  const near = nearest.length === 0 ? '' : ` ${what}: ${nearest.join(', ')}.`
  return {
    exitCode: exitCodes.refused,
    line: plainText(`${place.length === 0 ? '' : `${place.join(', ')}: `}${message}${near}`),
    value: { error: { code, message, file, entry, nearest: [...nearest] } }
  }
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))
