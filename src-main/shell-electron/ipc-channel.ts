import type { IpcMainEvent, WebContents } from 'electron'
import type { Channel } from '#shared/rpc/channel.ts'
import { isAppUrl } from './app-url.ts'

/** The names that the preload uses. */
export const messageName = 'treeline:message'
export const dropName = 'treeline:drop'

export type IpcEvent = Pick<IpcMainEvent, 'sender' | 'senderFrame'>

export interface IpcDeps {
  readonly ipcMain: {
    on(name: string, listener: (event: IpcEvent, message: unknown) => void): unknown
  }
  readonly contents: Pick<WebContents, 'send' | 'isDestroyed' | 'mainFrame'> & {
    on(event: 'did-navigate' | 'destroyed', listener: () => void): unknown
  }
  /** A page has been loaded; each gets a channel of its own, which closes with it. */
  readonly onChannel: (channel: Channel) => void
  /** The person dropped these on the window. */
  readonly onDrop: (paths: readonly string[]) => void
}

/** Gives each page that the window loads a channel, and listens to nobody but its main frame. */
export function connectIpc({ ipcMain, contents, onChannel, onDrop }: IpcDeps): void {
  let current: PageChannel | undefined
  contents.on('did-navigate', () => {
    current?.close()
    current = pageChannel(contents)
    onChannel(current)
  })
  contents.on('destroyed', () => current?.close())
  ipcMain.on(messageName, (event, message) => {
    if (isOurPage(event, contents)) current?.deliver(message)
  })
  ipcMain.on(dropName, (event, paths) => {
    if (isOurPage(event, contents) && isTexts(paths)) onDrop(paths)
  })
}

/** True for events of the main frame of this very window, while it shows our page. */
function isOurPage({ sender, senderFrame }: IpcEvent, contents: IpcDeps['contents']): boolean {
  return (
    (sender as unknown) === contents &&
    senderFrame !== null &&
    senderFrame === contents.mainFrame &&
    isAppUrl(senderFrame.url)
  )
}

interface PageChannel extends Channel {
  deliver(message: unknown): void
  close(): void
}

function pageChannel(contents: IpcDeps['contents']): PageChannel {
  const listeners: ((message: unknown) => void)[] = []
  const closers: (() => void)[] = []
  let open = true
  return {
    post(message) {
      if (open && !contents.isDestroyed()) contents.send(messageName, message)
    },
    onMessage: (listener) => void listeners.push(listener),
    onClose: (listener) => void closers.push(listener),
    deliver: (message) => listeners.forEach((listener) => listener(message)),
    close() {
      open = false
      closers.splice(0).forEach((closed) => closed())
    }
  }
}

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string')
