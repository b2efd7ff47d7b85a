import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Refusal } from '#shared/contract/refusal.ts'
import { isObject, jsonLine } from './checked.ts'
import type { BaseMessage } from './messages.ts'

export const messagesPath = (sessionsFolder: string, sessionId: string): string =>
  join(sessionsFolder, 'messages', `${sessionId}.jsonl`)

/** A message a line. Refused as `invalid-input` where one cannot be stored. */
export const messagesText = (messages: readonly BaseMessage[]): string => messages.map(jsonLine).join('')

/**
 * The messages of a session; none where it has no such file. Refused as `unsupported` where a line is no message, as
 * codelia does: what is left of the file would be saved as the whole.
 */
export function readMessages(path: string): readonly BaseMessage[] {
  const text = textOf(path)
  return text.split('\n').flatMap((line, index) => (line.trim() === '' ? [] : [messageIn(line, index + 1, path)]))
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw error
  }
}

function messageIn(line: string, number: number, file: string): BaseMessage {
  try {
    const message: unknown = JSON.parse(line)
    if (isObject(message)) return message as unknown as BaseMessage
  } catch {
    // Said below.
  }
  throw new Refusal('unsupported', `${file}: line ${number} is no message. codelia does not load such a session.`, {
    file
  })
}
