import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { test as base, expect, type Page } from '@playwright/test'
import { type Home, makeHome } from './home.ts'

const root = resolve(import.meta.dirname, '../..')

/** The app as the command line starts it, ready to be opened in a browser. */
export interface RunningShell extends AsyncDisposable {
  readonly url: string
  readonly process: ChildProcess
}

/** Starts the built browser shell in a home of its own and waits for the line that says it is ready. */
export async function startShell(home: Home, args: readonly string[]): Promise<RunningShell> {
  const child = spawn(
    process.execPath,
    ['tools/node.mjs', 'start', ...args, '--shell', 'browser', '--no-open', '--json'],
    {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: process.env['PATH'], HOME: home.path, INIT_CWD: home.path, TMPDIR: process.env['TMPDIR'] }
    }
  )
  const complaints: Buffer[] = []
  child.stderr.on('data', (chunk: Buffer) => complaints.push(chunk))
  const ended = once(child, 'close')
  const { value: line } = (await createInterface({ input: child.stdout })[Symbol.asyncIterator]().next()) as {
    readonly value: string | undefined
  }
  const { url } = JSON.parse(line ?? '{}') as { readonly url?: string }
  if (url === undefined) {
    await ended
    throw new Error(`The shell is not ready: ${line ?? ''}\n${Buffer.concat(complaints).toString()}`)
  }
  return {
    url,
    process: child,
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGINT')
      await ended
    }
  }
}

/** Collects what must not happen in a page: errors on the console, exceptions, violations of the content security policy. */
async function watchProblems(page: Page): Promise<readonly string[]> {
  const problems: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text())
  })
  page.on('pageerror', (error) => problems.push(String(error)))
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sourceFile, lineNumber }) =>
      console.error(`policy violated: ${violatedDirective} ${blockedURI} (${sourceFile}:${lineNumber})`)
    )
  })
  return problems
}

interface Fixtures {
  readonly home: Home
  /** Starts the app with these arguments and opens it in a page; the test fails if anything went wrong in that page. */
  readonly open: (...args: string[]) => Promise<Page>
}

export const test = base.extend<Fixtures>({
  // Playwright reads the first parameter's pattern: it must be one, even an empty one.
  // oxlint-disable-next-line no-empty-pattern
  home: async ({}, provide) => {
    using home = makeHome()
    await provide(home)
  },
  open: async ({ context, home }, provide) => {
    await using running = new AsyncDisposableStack()
    const found: (readonly string[])[] = []
    await provide(async (...args) => {
      const shell = running.use(await startShell(home, args))
      const page = await context.newPage()
      found.push(await watchProblems(page))
      await page.goto(shell.url)
      return page
    })
    expect(found.flat(), 'errors in the page').toEqual([])
  }
})

export { expect }
