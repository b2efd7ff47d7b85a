import { EventEmitter, once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { MessageChannel } from 'node:worker_threads'
import * as v from 'valibot'
import { afterEach, describe, expect, test } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { portChannel } from '#main/engine/port-channel.ts'
import { webSocketChannel } from '#main/shell-browser/web-socket-channel.ts'
import { appUrl } from '#main/shell-electron/app-url.ts'
import { connectIpc, messageName, type IpcDeps } from '#main/shell-electron/ipc-channel.ts'
import { InternalError, Refusal } from '#shared/contract/refusal.ts'
import type { Channel } from '#shared/rpc/channel.ts'
import { createClient } from '#shared/rpc/client.ts'
import { channelPair } from '#shared/rpc/pair.ts'
import { serve } from '#shared/rpc/server.ts'
import type { CallMap, EventMap, Handlers } from '#shared/rpc/types.ts'

interface Ends {
  readonly near: Channel
  readonly far: Channel
  readonly close: () => void
}

const kinds: Readonly<Record<string, () => Promise<Ends>>> = {
  async 'a pair in memory'() {
    const { left, right, close } = channelPair()
    return { near: left, far: right, close }
  },

  async 'a port between threads'() {
    const { port1, port2 } = new MessageChannel()
    return { near: portChannel(port1), far: portChannel(port2), close: () => port1.close() }
  },

  async 'a WebSocket'() {
    const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
    await once(server, 'listening')
    const socket = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`)
    const [[accepted]] = (await Promise.all([once(server, 'connection'), once(socket, 'open')])) as [
      [WebSocket],
      unknown
    ]
    const close = () => {
      socket.terminate()
      server.close()
    }
    return { near: webSocketChannel(socket), far: webSocketChannel(accepted), close }
  },

  async "Electron's IPC"() {
    const frame = { url: appUrl }
    const page = new EventEmitter()
    const ipcMain = new EventEmitter()
    const contents = Object.assign(new EventEmitter(), {
      mainFrame: frame,
      isDestroyed: () => false,
      send: (name: string, message: unknown) => queueMicrotask(() => page.emit(name, structuredClone(message)))
    })
    const far = Promise.withResolvers<Channel>()
    connectIpc({
      ipcMain,
      contents: contents as unknown as IpcDeps['contents'],
      onChannel: far.resolve,
      onDrop: () => expect.unreachable()
    })
    contents.emit('did-navigate')
    const near: Channel = {
      post(message) {
        const copy: unknown = structuredClone(message)
        queueMicrotask(() => ipcMain.emit(messageName, { sender: contents, senderFrame: frame }, copy))
      },
      onMessage: (listener) => void page.on(messageName, listener),
      // The window and its page end together.
      onClose: (listener) => void contents.on('destroyed', listener)
    }
    return { near, far: await far.promise, close: () => contents.emit('destroyed') }
  }
}

const calls = {
  'text.double': { input: v.object({ text: v.string() }), output: v.string() },
  'text.refuse': { input: v.object({}), output: v.null() },
  'text.break': { input: v.object({}), output: v.null() },
  'text.wait': { input: v.object({}), output: v.null() }
} as const satisfies CallMap
const events = { 'text.changed': v.object({ revision: v.number() }) } as const satisfies EventMap

describe.each(Object.entries(kinds))('over %s', (_kind, open) => {
  let ends: Ends | undefined
  afterEach(() => ends?.close())

  async function connected() {
    ends = await open()
    const waiting: AbortSignal[] = []
    const bugs: unknown[] = []
    const handlers: Handlers<typeof calls> = {
      'text.double': ({ text }) => text + text,
      'text.refuse': () => {
        throw new Refusal('not-resumable', 'A call is open.', { file: '/f', entry: 'e', nearest: ['a', 'b'] })
      },
      'text.break': () => {
        throw new TypeError('secret detail')
      },
      'text.wait': (_input, signal) =>
        new Promise((_resolve, reject) => {
          waiting.push(signal)
          signal.addEventListener('abort', () => reject(signal.reason))
        })
    }
    const server = serve<typeof calls, typeof events>(ends.far, { calls, events }, handlers, (error, call) => {
      bugs.push([call, error])
      return 'bug-1'
    })
    return { client: createClient<typeof calls, typeof events>(ends.near), server, waiting, bugs, ends }
  }

  test('calls are answered, many at a time, each with its own answer', async () => {
    const { client } = await connected()
    const texts = Array.from({ length: 50 }, (_, index) => `${index} ü\u2028"`)
    const answers = await Promise.all(texts.map((text) => client.call('text.double', { text })))
    expect(answers).toEqual(texts.map((text) => text + text))
  })

  test('a refusal arrives as a refusal, with all that it says', async () => {
    const { client } = await connected()
    const error = await client.call('text.refuse', {}).catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(Refusal)
    const { code, message, file, entry, nearest } = error as Refusal
    expect({ code, message, file, entry, nearest }).toEqual({
      code: 'not-resumable',
      message: 'A call is open.',
      file: '/f',
      entry: 'e',
      nearest: ['a', 'b']
    })
  })

  test('a bug is reported at home and arrives as its id alone', async () => {
    const { client, bugs } = await connected()
    const error = await client.call('text.break', {}).catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(InternalError)
    expect((error as InternalError).id).toBe('bug-1')
    expect((error as InternalError).message).not.toContain('secret detail')
    expect(bugs).toEqual([['text.break', expect.any(TypeError)]])
  })

  test('a cancelled call rejects at once and stops what runs', async () => {
    const { client, waiting, bugs } = await connected()
    const controller = new AbortController()
    const call = client.call('text.wait', {}, controller.signal)
    await expect.poll(() => waiting).toHaveLength(1)
    controller.abort()
    await expect(call).rejects.toMatchObject({ code: 'cancelled' })
    await expect.poll(() => waiting[0]!.aborted).toBe(true)
    expect(await client.call('text.double', { text: 'x' })).toBe('xx')
    expect(bugs).toEqual([])
    await expect(client.call('text.wait', {}, controller.signal)).rejects.toMatchObject({ code: 'cancelled' })
    expect(waiting).toHaveLength(1)
  })

  test('events reach who listens, until they no longer do', async () => {
    const { client, server } = await connected()
    const seen: number[] = []
    const stop = client.on('text.changed', ({ revision }) => seen.push(revision))
    server.emit('text.changed', { revision: 1 })
    await expect.poll(() => seen).toEqual([1])
    stop()
    server.emit('text.changed', { revision: 2 })
    await client.call('text.double', { text: '' })
    expect(seen).toEqual([1])
  })

  test('when the channel closes, what waits rejects, what runs stops, and later calls reject', async () => {
    const { client, server, waiting, ends: pair } = await connected()
    const call = client.call('text.wait', {})
    await expect.poll(() => waiting).toHaveLength(1)
    pair.close()
    await expect(call).rejects.toMatchObject({ code: 'disconnected' })
    await expect.poll(() => waiting[0]!.aborted).toBe(true)
    await expect(client.call('text.double', { text: 'x' })).rejects.toMatchObject({ code: 'disconnected' })
    server.emit('text.changed', { revision: 3 })
  })

  test.each(['text.none', 'constructor', '__proto__', 'toString', 'hasOwnProperty', ''])(
    'there is no call "%s"',
    async (name) => {
      const { client } = await connected()
      await expect(client.call(name as 'text.double', { text: 'x' })).rejects.toMatchObject({ code: 'unsupported' })
    }
  )

  test.each([[null], [{}], [{ text: 1 }], [[]], ['text']])('the input %j is refused', async (input) => {
    const { client, bugs } = await connected()
    const call = client.call('text.double', input as unknown as { text: string })
    await expect(call).rejects.toMatchObject({ code: 'invalid-input', message: expect.stringContaining('text.double') })
    expect(bugs).toEqual([])
  })
})
