import fc from 'fast-check'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { calls as contractCalls } from '#shared/contract/contract.ts'
import type { Channel } from './channel.ts'
import { createClient } from './client.ts'
import { channelPair } from './pair.ts'
import { serve } from './server.ts'
import type { CallMap } from './types.ts'

const calls = {
  'text.double': { input: v.object({ text: v.string() }), output: v.string() }
} as const satisfies CallMap

/** A server, and a raw end to send it anything. */
function served(handler: (text: string) => string = (text) => text + text) {
  const { left, right } = channelPair()
  const bugs: unknown[] = []
  const answers: unknown[] = []
  left.onMessage((message) => answers.push(message))
  serve(right, { calls, events: {} }, { 'text.double': ({ text }) => handler(text) }, (error) => {
    bugs.push(error)
    return 'bug-1'
  })
  return { channel: left, answers, bugs }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

test('whatever arrives, the server does not break and answers the next call', async () => {
  const wild = fc.oneof(
    fc.anything({ withBigInt: true, withDate: true, withMap: true, withSet: true, withTypedArray: true }),
    fc.record({
      kind: fc.oneof(fc.constantFrom('call', 'cancel', 'result', 'error', 'event'), fc.string()),
      id: fc.oneof(fc.integer({ min: 0, max: 3 }), fc.anything()),
      name: fc.oneof(fc.constantFrom('text.double', '__proto__', 'constructor', 'valueOf'), fc.anything()),
      input: fc.oneof(fc.record({ text: fc.anything() }), fc.anything())
    })
  )
  await fc.assert(
    fc.asyncProperty(fc.array(wild), async (messages) => {
      const { channel, answers, bugs } = served()
      for (const message of messages) channel.post(message)
      await settled()
      channel.post({ kind: 'call', id: 1000, name: 'text.double', input: { text: 'x' } })
      await settled()
      expect(answers).toContainEqual({ kind: 'result', id: 1000, output: 'xx' })
      expect(bugs).toEqual([])
    }),
    { numRuns: 300 }
  )
})

test('whatever arrives, the client does not break and settles only what was asked', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.anything()), async (messages) => {
      const { left, right } = channelPair()
      const client = createClient<typeof calls, Record<never, never>>(left)
      const call = client.call('text.double', { text: 'x' })
      for (const message of messages) right.post(message)
      right.post({ kind: 'result', id: 77, output: 'not asked for' })
      right.post({ kind: 'result', id: 1, output: 'xx' })
      expect(await call).toBe('xx')
    })
  )
})

test('an input that cannot be sent rejects and leaves nothing waiting', async () => {
  const posted: unknown[] = []
  const channel: Channel = {
    post: (message) => posted.push(structuredClone(message)),
    onMessage: () => {},
    onClose: () => {}
  }
  const client = createClient<typeof calls, Record<never, never>>(channel)
  await expect(client.call('text.double', { text: (() => {}) as unknown as string })).rejects.toThrow(/clone/)
  expect(posted).toEqual([])
})

test('an answer that cannot be sent is a bug of ours, not silence', async () => {
  const { channel, answers, bugs } = served(() => (() => {}) as unknown as string)
  channel.post({ kind: 'call', id: 1, name: 'text.double', input: { text: 'x' } })
  await settled()
  expect(answers).toEqual([{ kind: 'error', id: 1, error: expect.objectContaining({ kind: 'internal', id: 'bug-1' }) }])
  expect(bugs).toHaveLength(1)
})

test('of two calls with one number only the first is answered', async () => {
  const { channel, answers } = served()
  channel.post({ kind: 'call', id: 1, name: 'text.double', input: { text: 'a' } })
  channel.post({ kind: 'call', id: 1, name: 'text.double', input: { text: 'b' } })
  await settled()
  expect(answers).toEqual([{ kind: 'result', id: 1, output: 'aa' }])
})

test('every call of the contract is a noun and a verb, and refuses an input that is no object', () => {
  for (const [name, call] of Object.entries(contractCalls)) {
    expect(name).toMatch(/^[a-z]+\.[a-z]+$/)
    for (const input of [null, 1, 'text', true]) expect(v.safeParse(call.input, input).success).toBe(false)
  }
})
