import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { corpus } from '#e2e/support/corpus.ts'
import type { ExportResult } from '#shared/contract/export.ts'
import type { Entry } from '#shared/model/entry.ts'
import { makeWorkplace } from './testing/treeline.ts'

const root = join(corpus!, 'omp-pi')
const files = globSync('**/*.jsonl', { cwd: root }).toSorted()
const { treeline, folder, remove } = makeWorkplace()
afterAll(remove)

let made = 0

test.each(files)('%s: every form has the entries that it says', { timeout: 60_000 }, async (name) => {
  const file = join(root, name)
  const exported = async (...form: readonly string[]) => {
    const out = join(folder, `out-${++made}`)
    const { json } = await treeline('export', file, '--out', out, '--json', '--as', ...form)
    return { text: readFileSync(out, 'utf8'), bytes: readFileSync(out), result: json<ExportResult>() }
  }
  const { entries } = (await treeline('show', file, '--json')).json<{ entries: readonly Entry[] }>()
  const onPath = entries.filter(({ onDefaultPath }) => onDefaultPath)

  const normalized = await exported('normalized')
  const [, ...lines] = normalized.text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Entry)
  expect(lines).toMatchObject(entries.map((entry) => ({ ...entry })))
  expect(normalized.result.entries).toBe(entries.length)

  const html = await exported('html')
  expect(html.text.split('\n<article class="').length - 1).toBe(onPath.length)
  expect(html.text).not.toMatch(/<(?:script|a|iframe|link|object|embed|form|svg|style [^>]*)[\s>]/)
  const markdown = await exported('markdown')
  expect([html.result.entries, markdown.result.entries]).toEqual([onPath.length, onPath.length])

  const redacted = await exported('jsonl', '--redact')
  const source = readFileSync(file)
  expect(redacted.bytes.equals(source)).toBe(redacted.result.redacted?.length === 0)
  expect(redacted.text.split('\n').length).toBe(source.toString().split('\n').length)
})
