import type { CustomScheme } from 'electron'
import { pageFile } from '#main/platform/page-file.ts'
import { pageHeaders } from '#main/platform/page-headers.ts'
import { appScheme, isAppUrl } from './app-url.ts'

export const appSchemes = [
  { scheme: appScheme, privileges: { standard: true, secure: true, supportFetchAPI: true } }
] as const satisfies CustomScheme[]

/** Answers requests for the page with files of the built renderer, and everything else with nothing. */
export function appProtocol(renderer: string): (request: Request) => Promise<Response> {
  const refuse = (status: number) => new Response(null, { status, headers: pageHeaders })
  return async ({ method, url }) => {
    if (method !== 'GET') return refuse(405)
    const file = isAppUrl(url) ? await pageFile(renderer, new URL(url).pathname) : undefined
    if (file === undefined) return refuse(404)
    return new Response(file.bytes, { headers: { ...pageHeaders, 'content-type': file.type } })
  }
}
