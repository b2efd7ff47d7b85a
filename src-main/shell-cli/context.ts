import type { Context, Message } from '#shared/model/message.ts'
import { countOf, countText } from './amounts.ts'
import { defineCommand } from './command.ts'
import type { Look } from './look.ts'
import { openSession } from './open-session.ts'
import { fit, plainText } from './plain-text.ts'
import { faultLines, section } from './session-text.ts'
import { table } from './table.ts'

export const context = defineCommand({
  name: 'context',
  operand: 'FILE',
  synopsis: 'context FILE [--entry ID]',
  about: 'what the model saw at an entry',
  options: { entry: { type: 'string' } },
  prepare:
    ({ entry }, operand = '') =>
    async (desk) => {
      const { client, about } = await openSession(desk, operand)
      const value = await client.call('entry.context', entry === undefined ? about : { ...about, entry }, desk.signal)
      return { value, lines: (look) => contextLines(value, look) }
    }
})

function* contextLines({ entry, model, thinking, messages, omitted, faults }: Context, look: Look): Generator<string> {
  const tokens = messages.reduce((sum, message) => sum + (message.sent === false ? 0 : message.tokens), 0)
  yield look.paint(
    'bold',
    entry === null ? 'The agent would load nothing.' : `What the model saw at ${plainText(entry)}`
  )
  yield* table([
    ['model', model === null ? 'unknown' : plainText(`${model.provider}/${model.name}`)],
    ['thinking', plainText(thinking ?? 'unknown')],
    ['holds', `${countOf(messages.length, 'message')}, about ${countText(tokens)} tokens`]
  ])
  if (messages.length > 0) yield* section('Messages', messageLines(messages, look), look)
  if (omitted.length > 0)
    yield* section(`Not in it: ${countOf(omitted.length, 'entry', 'entries')}`, omittedLines(omitted), look)
  if (faults.length > 0) yield* section(countOf(faults.length, 'fault'), faultLines(faults, look, null), look)
}

function* messageLines(messages: readonly Message[], { paint, columns }: Look): Generator<string> {
  const rows = messages.map((message, index) => [
    `${index + 1}`,
    plainText(message.role),
    `${message.tokensSource === 'estimated' ? '~' : ''}${countText(message.tokens)}`,
    firstWords(message)
  ])
  let at = 0
  for (const line of table(rows, [0, 2])) {
    const shown = fit(line, columns - 2)
    yield messages[at++]?.sent === false ? paint('dim', shown) : shown
  }
}

function firstWords({ text, blocks, sent }: Message): string {
  const calls = blocks.flatMap((block) => (block.type === 'tool-call' ? [`calls ${block.name}`] : []))
  const others = blocks.flatMap((block) =>
    block.type === 'text' || block.type === 'tool-call' ? [] : [`[${block.type}]`]
  )
  const words = [plainText(text.slice(0, 200)), ...calls, ...(text === '' ? others : [])].filter((part) => part !== '')
  return plainText(`${sent === false ? '(not sent) ' : ''}${words.join(' · ')}`)
}

/** One line a reason, with the entries it holds for. */
function omittedLines(omitted: Context['omitted']): Generator<string> {
  const byReason = new Map<string, string[]>()
  for (const { entry, reason } of omitted) byReason.set(reason, [...(byReason.get(reason) ?? []), entry])
  return table(
    [...byReason].map(([reason, entries]) => [
      plainText(reason),
      plainText(
        entries.length <= 4 ? entries.join(', ') : `${entries.slice(0, 3).join(', ')} and ${entries.length - 3} more`
      )
    ])
  )
}
