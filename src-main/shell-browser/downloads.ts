import { randomBytes } from 'node:crypto'
import { open, rm } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { pageHeaders } from '#main/platform/page-headers.ts'

export interface Downloads {
  /** Offers a file of ours once, under a name for the person's disk; returns the path to fetch it from. */
  readonly offer: (file: string, name: string) => string
  /** Sends what was offered under this path and removes it; false where there is nothing. */
  readonly send: (urlPath: string, response: ServerResponse) => Promise<boolean>
  /** Removes what was never fetched. */
  readonly close: () => Promise<void>
}

const prefix = '/download/'

export function createDownloads(): Downloads {
  const offered = new Map<string, { readonly file: string; readonly name: string }>()
  return {
    offer(file, name) {
      const id = randomBytes(32).toString('base64url')
      offered.set(id, { file, name })
      return prefix + id
    },
    async send(urlPath, response) {
      const id = urlPath.startsWith(prefix) ? urlPath.slice(prefix.length) : ''
      const found = offered.get(id)
      if (found === undefined) return false
      offered.delete(id)
      const handle = await open(found.file)
      response.writeHead(200, {
        ...pageHeaders,
        'content-type': 'application/octet-stream',
        'content-length': (await handle.stat()).size,
        'content-disposition': attachment(found.name)
      })
      // A person who gives up half-way asks for a new export; there is nobody to tell.
      await pipeline(handle.createReadStream(), response).catch(() => {})
      await rm(found.file, { force: true })
      return true
    },
    async close() {
      await Promise.all([...offered.values()].map(({ file }) => rm(file, { force: true })))
      offered.clear()
    }
  }
}

/** RFC 6266: a plain name for old browsers, the real one for the rest; nothing in either can end the header or name a folder. */
export function attachment(name: string): string {
  const base = name.replaceAll(/[\p{Cc}/\\]/gu, '_').toWellFormed()
  const plain = base.replaceAll(/[^ \w.()-]/g, '_')
  const encoded = encodeURIComponent(base).replaceAll(
    /['()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`
  )
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`
}
