/** How many members two lists have in common from their start. Runs over all entries on each append: hence a plain loop. */
export function sameStart<T>(
  before: readonly T[],
  after: readonly T[],
  isSame?: (one: T, other: T) => boolean
): number {
  const end = Math.min(before.length, after.length)
  for (let at = 0; at < end; at++) {
    const one = before[at] as T
    if (one !== after[at] && isSame?.(one, after[at] as T) !== true) return at
  }
  return end
}
