import type { WebSocket } from 'ws'
import type { Channel } from '#shared/rpc/channel.ts'

/** What a page may send in one message. Calls are small: keys, positions, names. */
export const largestIncomingMessage = 1024 * 1024

/** A page that reads so slowly that this much waits for it is let go; it may come back. */
const mostWaiting = 64 * 1024 * 1024

/** A WebSocket as a Channel of JSON texts. What is not JSON closes the connection. */
export function webSocketChannel(socket: WebSocket): Channel {
  // ws closes the socket itself after an error, for example of a message that is too large.
  socket.on('error', () => {})
  return {
    post(message) {
      if (socket.bufferedAmount > mostWaiting) socket.terminate()
      else if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(message))
    },
    onMessage(listener) {
      socket.on('message', (data, isBinary) => {
        const message = isBinary ? undefined : parse(String(data))
        if (message === undefined) socket.close(1007)
        else listener(message)
      })
    },
    onClose: (listener) => void socket.once('close', listener)
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
