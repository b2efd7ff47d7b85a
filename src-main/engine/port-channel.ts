import type { MessagePort } from 'node:worker_threads'
import type { Channel } from '#shared/rpc/channel.ts'

/** A MessagePort as a channel; it closes when either thread ends. */
export function portChannel(port: MessagePort): Channel {
  return {
    post: (message) => port.postMessage(message),
    onMessage: (listener) => void port.on('message', listener),
    onClose: (listener) => void port.on('close', listener)
  }
}
