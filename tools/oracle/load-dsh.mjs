// Prints what dsh's own backend makes of sessions of format v0 below a root, a line of JSON each.
import { Context } from '@deepseek-ai/cordis'
import { deriveEventMessage, foldSurface, SessionStore } from '@deepseek-ai/dsh-session'
import { JsonlSessionPersistence } from '@deepseek-ai/dsh-session-persistence-jsonl'

const [, , root, compression, ...ids] = process.argv
const context = new Context()
await context.plugin(SessionStore)
await context.plugin(JsonlSessionPersistence, { root, compression })

const textOf = (blocks) =>
  blocks.flatMap(({ type, text, content }) =>
    type === 'text' ? [text] : type === 'tool-result' ? textOf(content) : []
  )

for (const id of ids) {
  let made
  try {
    const { meta, events } = await context.sessionPersistence.inspect(id)
    const messages = foldSurface(events).nodes.flatMap((seq) => deriveEventMessage(events[seq]) ?? [])
    made = {
      parent: meta.parentSession,
      inherited: meta.seedLength,
      events: events.length,
      messages: messages.map(({ role, content }) => [role, textOf(content).join('\n')])
    }
  } catch (error) {
    made = { refused: String(error) }
  }
  process.stdout.write(`${JSON.stringify(made)}\n`)
}
process.exit(0)
