/** Paths without the folders that all of them share; a single one is its name alone. With either kind of slash. */
export function shortPaths(paths: readonly string[]): readonly string[] {
  const parts = paths.map((path) => path.split(/(?<=[\\/])/))
  const [first = []] = parts
  const isShared = (at: number) => parts.every((one) => at < one.length - 1 && one[at] === first[at])
  let shared = 0
  while (shared < first.length && isShared(shared)) shared++
  return parts.map((one) => one.slice(shared).join(''))
}
