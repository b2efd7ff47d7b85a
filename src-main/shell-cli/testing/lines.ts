/** Lines of made pi sessions, without their line feeds. */
export const header = (more: object = {}) =>
  JSON.stringify({
    type: 'session',
    version: 3,
    id: 'made',
    timestamp: '2026-01-01T00:00:00.000Z',
    cwd: '/home/user/p',
    ...more
  })

const base = (id: string, parentId: string | null, second: number) => ({
  id,
  parentId,
  timestamp: new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString()
})

export const entryLine = (type: string, id: string, parentId: string | null, more: object = {}, second = 1) =>
  JSON.stringify({ type, ...base(id, parentId, second), ...more })

export const user = (id: string, parentId: string | null, text: string, second = 1) =>
  entryLine('message', id, parentId, { message: { role: 'user', content: text, timestamp: 1 } }, second)

export const usage = { input: 10, output: 5, cacheRead: 100, cacheWrite: 20, totalTokens: 135, cost: { total: 0.33 } }

export const answer = (id: string, parentId: string | null, text: string, more: object = {}, second = 2) =>
  entryLine(
    'message',
    id,
    parentId,
    {
      message: {
        role: 'assistant',
        content: [{ type: 'text', text }],
        api: 'x',
        provider: 'pv',
        model: 'm1',
        usage,
        stopReason: 'stop',
        timestamp: 2,
        ...more
      }
    },
    second
  )

export const toolCall = (id: string, parentId: string | null, callId: string, args: object = {}) =>
  answer(id, parentId, '', {
    content: [{ type: 'toolCall', id: callId, name: 'read', arguments: args }],
    stopReason: 'toolUse'
  })

export const toolResult = (id: string, parentId: string | null, callId: string, text: string) =>
  entryLine('message', id, parentId, {
    message: {
      role: 'toolResult',
      toolCallId: callId,
      toolName: 'read',
      content: [{ type: 'text', text }],
      isError: false,
      timestamp: 3
    }
  })

/** Each line with its line feed. */
export const fileOf = (...lines: readonly string[]) => lines.map((one) => `${one}\n`).join('')
