import type { Session, WebContents } from 'electron'
import { isAppUrl } from './app-url.ts'

export interface HardenDeps {
  readonly app: {
    on(event: 'web-contents-created', listener: (event: unknown, contents: HardenedContents) => void): unknown
  }
  readonly session: Pick<
    Session,
    'setPermissionRequestHandler' | 'setPermissionCheckHandler' | 'setDevicePermissionHandler'
  >
  /** Asks the person whether to open an address outside, and does. */
  readonly openOutside: (url: string) => void
}

type Prevented = { preventDefault(): void }

/** The part of a page's contents that is held back. */
export interface HardenedContents extends Pick<WebContents, 'setWindowOpenHandler'> {
  on(event: 'will-attach-webview', listener: (event: Prevented) => void): unknown
  on(
    event: 'will-navigate' | 'will-redirect' | 'will-frame-navigate',
    listener: (details: Prevented & { readonly url: string }) => void
  ): unknown
}

/** Keeps every page on its own address, without new windows, webviews or permissions but copying. */
export function harden({ app, session, openOutside }: HardenDeps): void {
  // Copying needs this one, and only for our page.
  const grants = (permission: string, url: string) => permission === 'clipboard-sanitized-write' && isAppUrl(url)
  session.setPermissionRequestHandler((_contents, permission, callback, { requestingUrl }) =>
    callback(grants(permission, requestingUrl))
  )
  session.setPermissionCheckHandler((_contents, permission, origin) => grants(permission, origin))
  session.setDevicePermissionHandler(() => false)

  app.on('web-contents-created', (_event, contents) => {
    contents.on('will-attach-webview', (event) => event.preventDefault())
    const stay = (details: Prevented & { readonly url: string }) => {
      if (!isAppUrl(details.url)) details.preventDefault()
    }
    contents.on('will-navigate', stay)
    contents.on('will-redirect', stay)
    contents.on('will-frame-navigate', stay)
    contents.setWindowOpenHandler(({ url }) => {
      if (mayOpenOutside(url)) openOutside(url)
      return { action: 'deny' }
    })
  })
}

/** Only secure pages without a name or password in the address: other schemes start other programs. */
function mayOpenOutside(address: string): boolean {
  const url = URL.parse(address)
  return url !== null && url.protocol === 'https:' && url.username === '' && url.password === ''
}
