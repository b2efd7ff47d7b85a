/** The page's own address; nothing else is ever loaded. */
export const appScheme = 'app'
const appHost = 'treeline'
export const appUrl = `${appScheme}://${appHost}/`

/** True for addresses of our own page. Compares scheme and host: the origin of such addresses is "null", like that of `file:`. */
export function isAppUrl(address: string): boolean {
  const url = URL.parse(address)
  return url !== null && url.protocol === `${appScheme}:` && url.host === appHost
}
