import type { Channel } from './channel.ts'

/**
 * Two connected channels in memory; messages are delivered in a later microtask, as copies, or as they are where `pass`
 * hands them over: then neither side may change what it sent or got.
 */
export function channelPair(pass: (message: unknown) => unknown = structuredClone): {
  readonly left: Channel
  readonly right: Channel
  close(): void
} {
  const closers: (() => void)[] = []
  const inboxes: ((message: unknown) => void)[][] = [[], []]
  const end = (own: number, other: number): Channel => ({
    post: (message) => {
      const passed = pass(message)
      queueMicrotask(() => inboxes[other]?.forEach((deliver) => deliver(passed)))
    },
    onMessage: (listener) => void inboxes[own]?.push(listener),
    onClose: (listener) => void closers.push(listener)
  })
  return { left: end(0, 1), right: end(1, 0), close: () => closers.splice(0).forEach((closed) => closed()) }
}

/** For `channelPair` within the engine, whose messages are read only and may be as large as a file. */
export const handedOver = (message: unknown): unknown => message
