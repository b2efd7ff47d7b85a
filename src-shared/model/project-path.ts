/**
 * A folder that agents worked in, in one spelling: without a slash at its end, and on Windows with backslashes and a
 * capital letter for the drive.
 */
export function projectPath(cwd: string): string {
  const isWindows = /^(?:[a-z]:[\\/]|\\\\)/i.test(cwd)
  const path = isWindows ? `${cwd.charAt(0).toUpperCase()}${cwd.slice(1).replaceAll('/', '\\')}` : cwd
  const slash = isWindows ? '\\' : '/'
  const shortest = isWindows ? 3 : 1
  let length = path.length
  while (length > shortest && path[length - 1] === slash) length--
  return path.slice(0, length)
}
