/** Two ends that carry structured-clonable messages in order. Electron IPC, a WebSocket, a MessagePort and a pair in memory all fit. */
export interface Channel {
  post(message: unknown): void
  onMessage(listener: (message: unknown) => void): void
  onClose(listener: () => void): void
}
