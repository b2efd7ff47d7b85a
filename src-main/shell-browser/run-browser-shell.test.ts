import { expect, test } from 'vitest'
import type { Engine } from '#main/engine/types.ts'
import { Refusal } from '#shared/contract/refusal.ts'
import { runBrowserShell, type BrowserShellOptions } from './run-browser-shell.ts'

function shell(part: Partial<BrowserShellOptions> = {}, request: Partial<BrowserShellOptions['request']> = {}) {
  const closed: string[] = []
  const lines: string[] = []
  const end = new AbortController()
  const engine = { attach: () => {}, close: async () => void closed.push('engine') } as unknown as Engine
  const ran = runBrowserShell({
    engine,
    request: { shell: null, port: 0, window: false, json: true, why: 'because', ...request },
    version: '1.2.3',
    servePage: (_request, response) => void response.end('page'),
    dataFolder: '/nowhere',
    machine: { env: {}, platform: 'linux', root: false },
    openRequested: async () => '?session=s',
    print: (line) => lines.push(line),
    ended: end.signal,
    ...part
  })
  return { ran, lines, closed, end }
}

test('prints one line of JSON when ready, serves the page, and ends cleanly when told to', async () => {
  const { ran, lines, closed, end } = shell()
  await expect.poll(() => lines).toHaveLength(1)
  const { url, ...rest } = JSON.parse(lines[0]!) as Record<string, string>
  expect(rest).toEqual({ shell: 'browser', why: 'because; open the address in a browser' })
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/\?session=s#[\w-]{43}$/)
  expect(await (await fetch(url!)).text()).toBe('page')
  end.abort()
  await ran
  expect(closed).toEqual(['engine'])
  await expect(fetch(url!)).rejects.toThrow()
})

test('for people the line says which shell runs, why, and the address to open', async () => {
  const { ran, lines, end } = shell({}, { json: false, window: true })
  await expect.poll(() => lines).toHaveLength(1)
  expect(lines[0]).toMatch(
    /^Treeline runs in the browser shell \(because\), there is no display: open the address in a browser: http:\/\/127/
  )
  end.abort()
  await ran
})

test('the shell is called none where no window was asked for at all', async () => {
  const { ran, lines, end } = shell({}, { shell: 'none' })
  await expect.poll(() => lines).toHaveLength(1)
  expect(JSON.parse(lines[0]!)).toMatchObject({ shell: 'none' })
  end.abort()
  await ran
})

test('what cannot be opened is refused before anything is shown, and leaves nothing open', async () => {
  const refusal = new Refusal('not-found', 'There is no such file or folder.')
  const { ran, lines, closed } = shell({ openRequested: () => Promise.reject(refusal) })
  await expect(ran).rejects.toBe(refusal)
  expect(lines).toEqual([])
  expect(closed).toEqual(['engine'])
})

test('a port that is taken is refused with what to do', async () => {
  const first = shell()
  await expect.poll(() => first.lines).toHaveLength(1)
  const port = Number(new URL((JSON.parse(first.lines[0]!) as { url: string }).url).port)
  const second = shell({}, { port })
  await expect(second.ran).rejects.toMatchObject({ code: 'exists', message: expect.stringContaining('--port') })
  expect(second.closed).toEqual(['engine'])
  first.end.abort()
  await first.ran
})
