import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { roleEvents } from '#main/engine/role-contract.ts'
import { type StartedRole, startRole } from '#main/engine/start-role.ts'
import type { WriterCalls, writerEvents } from '#main/engine/writer-contract.ts'
import { formats } from '#main/formats/registry.ts'
import type { SessionKey } from '#shared/model/keys.ts'
import type { Json } from '#shared/model/records.ts'
import { type Client, createClient } from '#shared/rpc/client.ts'
import type { ReaderCalls } from './contract.ts'

let folder: string
const running: StartedRole[] = []
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'treeline-test-')))
})
afterEach(async () => {
  for (const role of running.splice(0).toReversed()) await role.end()
  rmSync(folder, { recursive: true })
})

const start = (role: 'writer' | 'reader') => {
  const options = { role, index: join(folder, 'index.db'), watch: false, env: {}, home: folder }
  const started = startRole(null, options, formats, () => undefined)
  running.push(started)
  return started.channel
}

/** Reads a session with one message, "m", and returns what answers for it. */
async function open(message: Json): Promise<{ client: Client<ReaderCalls, typeof roleEvents>; session: SessionKey }> {
  const path = join(folder, 'made.jsonl')
  const timestamp = '2026-01-01T00:00:00.000Z'
  const lines = [
    { type: 'session', version: 3, id: 's', timestamp, cwd: '/p' },
    { type: 'message', id: 'm', parentId: null, timestamp, message }
  ]
  writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  const writer = createClient<WriterCalls, typeof writerEvents>(start('writer'))
  const session = await writer.call('file.follow', { path, agent: null })
  await writer.call('idle', {})
  return { client: createClient(start('reader')), session }
}

async function wholeText(client: Client<ReaderCalls, typeof roleEvents>, session: SessionKey, block: number) {
  const detail = await client.call('entry.detail', { session, entry: 'm' })
  let text = detail.blocks[block]!.text
  const pages: number[] = []
  for (let from: number | null = text.length; from !== null;) {
    const page: { text: string; next: number | null } = await client.call('entry.text', {
      session,
      entry: 'm',
      block,
      from
    })
    pages.push(page.text.length)
    text += page.text
    from = page.next
  }
  return { text, length: detail.blocks[block]!.length, longestPage: Math.max(...pages) }
}

const character = (at: number) => ['x', 'é', '\n', '😀', '"', '\u0001'][(at * at) % 6]!
const long = Array.from({ length: 500_000 }, (_, at) => character(at)).join('')

describe('the texts of a huge entry', () => {
  test('come in pages that make up the whole, next to short ones', async () => {
    const texts = [long, 'short', `A${long}`]
    const { client, session } = await open({ role: 'user', content: texts.map((text) => ({ type: 'text', text })) })
    for (const [block, text] of texts.entries()) {
      const found = await wholeText(client, session, block)
      expect(found.text).toBe(text)
      expect(found.length).toBe(text.length)
      expect(found.longestPage).toBeLessThanOrEqual(65_536)
    }
  })

  test('may begin alike', async () => {
    const { client, session } = await open({ role: 'user', content: [long, `${long}!`] })
    expect((await wholeText(client, session, 0)).length).toBe(long.length)
    expect((await wholeText(client, session, 1)).length).toBe(long.length + 1)
  })

  test("may be a call's arguments", async () => {
    const args = { path: 'a.txt', content: long }
    const content = [{ type: 'toolCall', id: 'c', name: 'write', arguments: args }]
    const { client, session } = await open({ role: 'assistant', content })
    const found = await wholeText(client, session, 0)
    expect(JSON.parse(found.text)).toEqual(args)
    expect(found.length).toBeGreaterThan(long.length)
  })

  test('stand beside images, whose sizes are known', async () => {
    const data = Buffer.alloc(2 ** 20, 7).toString('base64')
    const content = [
      { type: 'image', mimeType: 'image/png', data },
      { type: 'text', text: long }
    ]
    const { client, session } = await open({ role: 'user', content })
    const { blocks } = await client.call('entry.detail', { session, entry: 'm' })
    expect(blocks).toMatchObject([{ bytes: 2 ** 20 }, { length: long.length }])
    const { url } = await client.call('entry.image', { session, entry: 'm', block: 0 })
    expect(url).toBe(`data:image/png;base64,${data}`)
  })
})

test('a page behind the end of a text is empty and the last', async () => {
  const { client, session } = await open({ role: 'user', content: long })
  const page = await client.call('entry.text', { session, entry: 'm', block: 0, from: 10_000_000 })
  expect(page).toEqual({ text: '', next: null })
})
