import { MessageChannel, Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'
import { calls, events } from '#shared/contract/contract.ts'
import { Refusal } from '#shared/contract/refusal.ts'
import { createClient } from '#shared/rpc/client.ts'
import { serve } from '#shared/rpc/server.ts'
import type { Handlers } from '#shared/rpc/types.ts'
import { portChannel } from './port-channel.ts'

const oneCall = { calls: { 'session.get': calls['session.get'] }, events }

test('a refusal keeps its file, entry and nearest entries over a port', async () => {
  const { port1, port2 } = new MessageChannel()
  const at = { file: '/s/a.jsonl', entry: 'a1', nearest: ['a0', 'a2'] }
  const handlers = {
    'session.get': () => Promise.reject(new Refusal('not-resumable', 'Not here.', at))
  } as unknown as Handlers<typeof oneCall.calls>
  serve(portChannel(port2), oneCall, handlers, () => 'bug')
  const call = createClient<typeof oneCall.calls, typeof events>(portChannel(port1)).call('session.get', {
    session: 'k' as never
  })
  await expect(call).rejects.toMatchObject({ code: 'not-resumable', message: 'Not here.', ...at })
  port1.close()
})

test('what was asked of a thread that dies is refused, and so is what is asked after', async () => {
  const { port1, port2 } = new MessageChannel()
  const source = "require('node:worker_threads').workerData.on('message', () => { throw new Error('dead') })"
  const thread = new Worker(source, { eval: true, workerData: port2, transferList: [port2] })
  thread.on('error', () => undefined)
  const client = createClient<typeof calls, typeof events>(portChannel(port1))
  await expect(client.call('folder.list', {})).rejects.toMatchObject({ code: 'disconnected' })
  await expect(client.call('folder.list', {})).rejects.toMatchObject({ code: 'disconnected' })
})
