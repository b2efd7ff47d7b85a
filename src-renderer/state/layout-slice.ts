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
  /** Takes the widths of the last time; null where there are none. */
  restoreWidths(widths: { readonly libraryWidth: number | null; readonly inspectorWidth: number | null }): void
}

const available = globalThis.innerWidth ?? 1440
/** A fifth and not quite a third of the window, within what reads well. */
const startWidths = {
  libraryWidth: Math.round(Math.min(264, Math.max(224, available * 0.2))),
  inspectorWidth: Math.round(Math.min(416, Math.max(296, available * 0.29)))
}

export const layoutSlice = (set: (part: Partial<LayoutSlice>) => void): LayoutSlice => ({
  ...startWidths,
  resizePane: (pane, width) => {
    const clamped = withinLimits(pane, width)
    set(pane === 'library' ? { libraryWidth: clamped } : { inspectorWidth: clamped })
  },
  restoreWidths: ({ libraryWidth, inspectorWidth }) =>
    set({
      libraryWidth: withinLimits('library', libraryWidth ?? startWidths.libraryWidth),
      inspectorWidth: withinLimits('inspector', inspectorWidth ?? startWidths.inspectorWidth)
    })
})

function withinLimits(pane: SidePane, width: number): number {
  const { min, max } = paneLimits[pane]
  return Math.round(Math.min(max, Math.max(min, width)))
}
