import { timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

// The port may differ: a person may forward one. The name may not: a rebound name of someone else's is refused.
const ourHost = /^(?:127\.0\.0\.1|localhost)(?::\d{1,5})?$/

/** True where the request names this machine's loopback as its host. */
export function namesOurHost(headers: IncomingHttpHeaders): boolean {
  return ourHost.test(headers.host ?? '')
}

/** True where the request comes from a page of the very host and port that it goes to. */
export function comesFromOurPage(headers: IncomingHttpHeaders): boolean {
  return namesOurHost(headers) && headers.origin === `http://${headers.host}`
}

/** The value of a cookie, if the request carries it. */
export function cookieOf(headers: IncomingHttpHeaders, name: string): string | undefined {
  const pairs = (headers.cookie ?? '').split(';').map((pair) => pair.trim())
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1)
}

/** Compares without telling by its time how much was right. */
export function sameSecret(expected: string, given: string | undefined): boolean {
  const left = Buffer.from(expected)
  const right = Buffer.from(given ?? '')
  return left.length === right.length && timingSafeEqual(left, right)
}
