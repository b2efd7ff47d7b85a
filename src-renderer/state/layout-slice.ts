export const paneLimits = {
  library: { min: 180, max: 480 },
  inspector: { min: 260, max: 720 }
} as const
export type SidePane = keyof typeof paneLimits

export interface LayoutSlice {
  /** Widths in CSS pixels, remembered. */
  readonly libraryWidth: number
  readonly inspectorWidth: number
  resizePane(pane: SidePane, width: number): void
}

export const layoutSlice = (set: (part: Partial<LayoutSlice>) => void): LayoutSlice => ({
  libraryWidth: 264,
  inspectorWidth: 404,
  resizePane: (pane, width) => {
    const { min, max } = paneLimits[pane]
    const clamped = Math.round(Math.min(max, Math.max(min, width)))
    set(pane === 'library' ? { libraryWidth: clamped } : { inspectorWidth: clamped })
  }
})
