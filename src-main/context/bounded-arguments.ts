const deepest = 500

/**
 * A call's arguments, or a text in their place where they are nested more than 500 levels deep: structured cloning and
 * `JSON.stringify` are recursive and would end the request.
 */
export function boundedArguments(value: unknown): unknown {
  let level: unknown[] = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > deepest) return `[nested more than ${deepest} levels deep]`
    level = level.flatMap((item) => (typeof item === 'object' && item !== null ? Object.values(item) : []))
  }
  return value
}
