import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from '@playwright/test'
import { dshAnswer, dshEvent, dshFrames, dshLog, dshPrompt } from '#e2e/support/dsh-log.ts'
import { makeHome } from '#e2e/support/home.ts'

const cli = resolve(import.meta.dirname, '../../out/main/cli.js')

const log = dshLog(
  { id: 'made' },
  dshEvent('turn/start', { turn: 1 }),
  dshPrompt('u1', 'Count the till'),
  dshAnswer('a1', { type: 'text', text: 'It is full.' }),
  dshEvent('turn/end', { turn: 1, reason: { kind: 'completed' } }),
  dshEvent('turn/start', { turn: 2 }),
  dshPrompt('u2', 'And now?')
)

test('a compressed log of dsh is listed, shown, checked and forked by the built command line', async () => {
  using home = makeHome()
  const bytes = Buffer.concat(dshFrames(log, 4))
  const file = home.write('.dsh/sessions/--home-me-shop--/made/session.jsonl.zstd', bytes)
  const run = async (...argv: readonly string[]) => {
    const options = { cwd: home.path, env: { PATH: process.env['PATH'], HOME: home.path } }
    const { stdout } = await promisify(execFile)(process.execPath, [cli, ...argv, '--json'], options)
    return JSON.parse(stdout)
  }
  expect((await run('list', home.path)).sessions).toMatchObject([{ id: 'made', agent: 'dsh', file, entries: 7 }])
  // The directory stands for its session; its last turn is open, so its end is not written.
  const { entries, defaultLeaf } = await run('show', dirname(file))
  expect(defaultLeaf).toEqual({ id: '6', reason: 'only-leaf' })
  expect(entries.at(-1)).toMatchObject({ id: '6', bytes: null, line: null, synthetic: true, turn: 2 })
  expect(entries[0]).not.toHaveProperty('synthetic')
  const { messages } = await run('context', file)
  expect(messages.map(({ text }: { text: string }) => text)).toEqual(['Count the till', 'It is full.', 'And now?'])
  expect((await run('verify', file)).bytes).toEqual({ entries: bytes.length, faults: 0, blank: 0, total: bytes.length })
  expect((await run('stats', file)).totals).toMatchObject({ requests: 1, input: 900, output: 100, total: 1000 })

  const fork = await run('branch', file, '--entry', '3')
  expect(readdirSync(dirname(fork.file))).toEqual(['session.jsonl.zstd'])
  expect((await run('show', fork.file)).session).toMatchObject({
    origin: 'fork',
    parent: { id: 'made', file },
    entries: 5
  })
  const refused = await run('branch', file, '--entry', '1').catch((error: { stdout: string }) =>
    JSON.parse(error.stdout)
  )
  expect(refused.error).toMatchObject({ code: 'not-resumable', nearest: ['3'] })
})
