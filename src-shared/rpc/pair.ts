import type { Channel } from './channel.ts'

/** Two connected channels in memory; messages are delivered in a later microtask, as copies. */
export function channelPair(): { readonly left: Channel; readonly right: Channel; close(): void } {
  const closers: (() => void)[] = []
  const inboxes: ((message: unknown) => void)[][] = [[], []]
  const end = (own: number, other: number): Channel => ({
    post: (message) => {
      const copy: unknown = structuredClone(message)
      queueMicrotask(() => inboxes[other]?.forEach((deliver) => deliver(copy)))
    },
    onMessage: (listener) => void inboxes[own]?.push(listener),
    onClose: (listener) => void closers.push(listener)
  })
  return { left: end(0, 1), right: end(1, 0), close: () => closers.splice(0).forEach((closed) => closed()) }
}
