const longest = 100
const most = 3

/** The ids that were most likely meant by one that is not there: those that begin with it, then those that a few letters tell from it. */
export function nearestIds(ids: Iterable<string>, typed: string): string[] {
  if (typed === '' || typed.length > longest) return []
  const furthest = Math.max(1, Math.floor(typed.length / 4))
  const near: { readonly id: string; readonly distance: number }[] = []
  for (const id of ids) {
    const distance = id.startsWith(typed) ? 0 : distanceOf(id, typed, furthest)
    if (distance <= furthest) near.push({ id, distance })
  }
  return near
    .toSorted((one, other) => one.distance - other.distance)
    .slice(0, most)
    .map(({ id }) => id)
}

/** How many letters must be put in, left out or changed; more than `furthest` is not counted to its end. */
function distanceOf(one: string, other: string, furthest: number): number {
  if (Math.abs(one.length - other.length) > furthest) return furthest + 1
  let above = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let row = 1; row <= one.length; row++) {
    const here = [row]
    for (let column = 1; column <= other.length; column++) {
      const changed = (above[column - 1] ?? 0) + (one[row - 1] === other[column - 1] ? 0 : 1)
      here.push(Math.min(changed, (above[column] ?? 0) + 1, (here[column - 1] ?? 0) + 1))
    }
    if (Math.min(...here) > furthest) return furthest + 1
    above = here
  }
  return above[other.length] ?? 0
}
