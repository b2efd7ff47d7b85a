import { readFile, realpath } from 'node:fs/promises'
import { extname, join, sep } from 'node:path'

export interface PageFile {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly type: string
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2'
}

// The build names its own files, so this can be strict: no escapes, no backslash, no NUL, no segment that begins with a dot.
const plainPath = /^(?:\/[\w-][\w.-]*)+$/

/** The file of the built page that a URL's path names; undefined for everything that is not a plain file inside `root`. */
export async function pageFile(root: string, urlPath: string): Promise<PageFile | undefined> {
  const wanted = urlPath === '/' ? '/index.html' : urlPath
  const type = types[extname(wanted)]
  if (type === undefined || !plainPath.test(wanted)) return undefined
  try {
    const inside = (await realpath(root)) + sep
    const real = await realpath(join(inside, wanted))
    if (!real.startsWith(inside)) return undefined
    return { bytes: await readFile(real), type }
  } catch {
    return undefined
  }
}
