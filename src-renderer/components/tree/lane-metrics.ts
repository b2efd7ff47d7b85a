/** Lanes that are drawn each for itself; those beyond share the last place. */
const mostLanes = 12
const firstLane = 16

export interface LaneMetrics {
  /** Width of the drawing in CSS pixels. */
  readonly width: number
  /** Height of a row in CSS pixels. */
  readonly height: number
  /** Middle of a lane in CSS pixels. */
  x(lane: number): number
  /** True for a lane that has no place of its own. */
  isCrowded(lane: number): boolean
}

/** Where `lanes` lanes are drawn in rows of a height: closer together the more there are, and never wider than twelve of them. */
export function laneMetrics(lanes: number, height: number): LaneMetrics {
  const drawn = Math.min(lanes, mostLanes)
  const step = drawn <= 4 ? 22 : drawn <= 7 ? 16 : 12
  return {
    height,
    width: firstLane + (drawn - 1) * step + 12,
    x: (lane) => firstLane + Math.min(lane, drawn - 1) * step,
    isCrowded: (lane) => lanes > mostLanes && lane >= mostLanes - 1
  }
}
