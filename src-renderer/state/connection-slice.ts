export interface ConnectionSlice {
  readonly connected: boolean
  disconnect(): void
}

export const connectionSlice = (set: (part: Partial<ConnectionSlice>) => void): ConnectionSlice => ({
  connected: true,
  disconnect: () => set({ connected: false })
})
