import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import type { Channel } from '#shared/rpc/channel.ts'
import { connectIpc, dropName, messageName, type IpcDeps } from './ipc-channel.ts'

function connected() {
  const ipcMain = new EventEmitter()
  const mainFrame = { url: 'app://treeline/?session=s' }
  const sent: unknown[] = []
  const state = { destroyed: false }
  const contents = Object.assign(new EventEmitter(), {
    mainFrame,
    isDestroyed: () => state.destroyed,
    send: (...message: unknown[]) => sent.push(message)
  })
  const channels: Channel[] = []
  const heard: unknown[] = []
  const dropped: unknown[] = []
  connectIpc({
    ipcMain,
    contents: contents as unknown as IpcDeps['contents'],
    onChannel(channel) {
      channels.push(channel)
      channel.onMessage((message) => heard.push(message))
      channel.onClose(() => heard.push('closed'))
    },
    onDrop: (paths) => dropped.push(paths)
  })
  contents.emit('did-navigate')
  return { ipcMain, contents, mainFrame, sent, state, channels, heard, dropped }
}

test('the main frame of our window, showing our page, is heard; nobody else is', () => {
  const { ipcMain, contents, mainFrame, heard, dropped } = connected()
  const strangers = [
    { sender: contents, senderFrame: null },
    { sender: contents, senderFrame: { url: 'app://treeline/' } },
    { sender: {}, senderFrame: mainFrame }
  ]
  for (const event of strangers) {
    ipcMain.emit(messageName, event, 'stranger')
    ipcMain.emit(dropName, event, ['/stranger'])
  }
  const url = mainFrame.url
  mainFrame.url = 'https://evil.example/'
  ipcMain.emit(messageName, { sender: contents, senderFrame: mainFrame }, 'foreign page')
  mainFrame.url = url
  expect(heard).toEqual([])
  ipcMain.emit(messageName, { sender: contents, senderFrame: mainFrame }, { kind: 'call' })
  expect(heard).toEqual([{ kind: 'call' }])
  expect(dropped).toEqual([])
})

test('a reload closes the channel of the old page and opens one for the new', () => {
  const { ipcMain, contents, mainFrame, sent, channels, heard } = connected()
  contents.emit('did-navigate')
  expect(channels).toHaveLength(2)
  expect(heard).toEqual(['closed'])
  channels[0]!.post('late')
  channels[1]!.post('hello')
  expect(sent).toEqual([[messageName, 'hello']])
  ipcMain.emit(messageName, { sender: contents, senderFrame: mainFrame }, 'one')
  expect(heard).toEqual(['closed', 'one'])
})

test('nothing is sent to a window that is gone', () => {
  const { contents, sent, state, channels, heard } = connected()
  state.destroyed = true
  channels[0]!.post('late')
  contents.emit('destroyed')
  expect(sent).toEqual([])
  expect(heard).toEqual(['closed'])
})

test('what was dropped is taken as paths only where it is a list of texts', () => {
  const { ipcMain, contents, mainFrame, dropped } = connected()
  for (const paths of [['/a', '/b'], 'text', [1], null]) {
    ipcMain.emit(dropName, { sender: contents, senderFrame: mainFrame }, paths)
  }
  expect(dropped).toEqual([['/a', '/b']])
})
