import type { BrowserWindow, Rectangle, Screen } from 'electron'
import * as v from 'valibot'
import { jsonFile } from '#main/platform/json-file.ts'

export const leastSize = { width: 800, height: 560 }
const firstSize = { width: 1440, height: 900 }

const length = v.pipe(v.number(), v.integer(), v.minValue(-100_000), v.maxValue(100_000))

const Kept = v.strictObject({
  bounds: v.optional(v.nullable(v.strictObject({ x: length, y: length, width: length, height: length })), null),
  isMaximized: v.optional(v.boolean(), false)
})
type Kept = v.InferOutput<typeof Kept>

/** Where a window is put; without `x` and `y` the system chooses. */
export interface WindowPlace {
  readonly bounds: { readonly width: number; readonly height: number; readonly x?: number; readonly y?: number }
  readonly isMaximized: boolean
}

type KeptWindow = Pick<BrowserWindow, 'getNormalBounds' | 'isMaximized'> & {
  on(event: 'resize' | 'move' | 'maximize' | 'unmaximize', listener: () => void): unknown
}

export interface WindowPlaces {
  /** The place of the last time, on a display that is there now. */
  last(): Promise<WindowPlace>
  /** Follows a window; `save` keeps where it was last. */
  follow(window: KeptWindow): { readonly save: () => Promise<void> }
}

/** Remembers the window's size, position and whether it is maximised, in a file of its own. */
export function windowPlaces(path: string, screen: Pick<Screen, 'getAllDisplays'>): WindowPlaces {
  const file = jsonFile(path, Kept)
  return {
    async last() {
      const areas = screen.getAllDisplays().map(({ workArea }) => workArea)
      return placeOn(areas, await file.read())
    },
    follow(window) {
      let kept: Kept | null = null
      const look = () => {
        kept = { bounds: { ...window.getNormalBounds() }, isMaximized: window.isMaximized() }
      }
      for (const event of ['resize', 'move', 'maximize', 'unmaximize'] as const) window.on(event, look)
      return {
        async save() {
          const last = kept
          // A place that cannot be kept is no reason not to end.
          if (last !== null) await file.change(() => last).catch(() => undefined)
        }
      }
    }
  }
}

/** No larger than the display, and where enough of the window is on one to take hold of it; else in the system's place. */
function placeOn(areas: readonly Rectangle[], { bounds, isMaximized }: Kept): WindowPlace {
  if (bounds === null) return { bounds: firstSize, isMaximized }
  const area = areas.find((one) => isHeld(one, bounds))
  const fit = area ?? areas[0]
  const width = Math.max(leastSize.width, Math.min(bounds.width, fit?.width ?? firstSize.width))
  const height = Math.max(leastSize.height, Math.min(bounds.height, fit?.height ?? firstSize.height))
  return { bounds: { width, height, ...(area === undefined ? {} : { x: bounds.x, y: bounds.y }) }, isMaximized }
}

const titleBar = 40
const enough = 120

/** True where a piece of the title bar lies on the display. */
function isHeld(area: Rectangle, { x, y, width }: Rectangle): boolean {
  const seen = Math.min(x + width, area.x + area.width) - Math.max(x, area.x)
  return seen >= enough && y >= area.y && y + titleBar <= area.y + area.height
}
