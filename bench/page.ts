import { type Browser, chromium, type Page } from 'playwright'
import { findBrowser } from '../tools/find-browser.ts'

/** The suggestions of Chromium's own address bar are pages too: loading them takes as much as what is measured. */
const args = ['--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup']

export async function launchBrowser(): Promise<Browser> {
  const { executablePath, env } = findBrowser()
  return chromium.launch({ executablePath, args, env: { ...(process.env as Record<string, string>), ...env } })
}

/** A page that notes how long the tasks of its thread take. */
export async function openPage(browser: Browser, url: string): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1400, height: 900 } })
  await page.addInitScript(() => {
    const noted: number[] = []
    Object.assign(window, { longTasks: noted })
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) noted.push(duration)
    }).observe({ type: 'longtask', buffered: true })
  })
  await page.goto(url)
  return page
}

/** Milliseconds of the longest task so far, 0 where none took 50. */
export const longestTask = (page: Page): Promise<number> =>
  page.evaluate(() => Math.max(0, ...(window as unknown as { readonly longTasks: readonly number[] }).longTasks))

/** Resolves when a row is there with its text; before that it only says that it is loading. */
export const firstRow = (page: Page): Promise<void> =>
  page
    .getByRole('tree', { name: 'Entries' })
    .getByRole('treeitem')
    .filter({ hasNotText: 'loading' })
    .first()
    .waitFor({ timeout: 300_000 })

/** When a text appears in the page, in milliseconds since 1970; it is looked for whenever the page changes. */
export function whenShown(page: Page, text: string): Promise<number> {
  return page.evaluate(
    (wanted) =>
      new Promise<number>((resolve) => {
        const look = () => {
          if (!document.body.textContent.includes(wanted)) return
          observer.disconnect()
          requestAnimationFrame(() => resolve(Date.now()))
        }
        const observer = new MutationObserver(look)
        observer.observe(document.body, { subtree: true, childList: true, characterData: true })
        look()
      }),
    text
  )
}
