import { createHash } from 'node:crypto'
import { readFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import MarkdownIt from 'markdown-it'
import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  assistant,
  branchSummary,
  compaction,
  header,
  idAt,
  label,
  modelChange,
  sessionFile,
  titleSlot,
  toolResult,
  user
} from '#e2e/support/build-session.ts'
import { secrets } from '#main/export/testing/secrets.ts'
import type { ExportResult } from '#shared/contract/export.ts'
import { makeWorkplace, type Workplace } from './testing/treeline.ts'

let place: Workplace
beforeAll(() => {
  place = makeWorkplace()
})
afterAll(() => place.remove())

const forms = ['jsonl', 'normalized', 'markdown', 'html'] as const
type Form = (typeof forms)[number]

let made = 0

async function exported(text: string, as: Form, ...more: readonly string[]) {
  const file = place.write(`source-${++made}.jsonl`, text)
  const out = join(place.folder, `out-${made}`)
  const { exitCode, stderr, json } = await place.treeline('export', file, '--as', as, '--out', out, '--json', ...more)
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 })
  const content = readFileSync(out, 'utf8')
  const result = json<ExportResult>()
  expect(result).toMatchObject({ as, bytes: Buffer.byteLength(content), source: { file } })
  expect(result.sha256).toBe(createHash('sha256').update(content).digest('hex'))
  expect(readFileSync(file, 'utf8') === text).toBe(true)
  return { file, content, result, stderr }
}

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64'
)
const withImages = (...images: readonly (readonly [string, Buffer])[]) => ({
  type: 'message',
  message: {
    role: 'user',
    content: images.map(([mimeType, data]) => ({ type: 'image', mimeType, data: data.toString('base64') }))
  }
})

/** A path of everything, and a branch that is not on it. */
const branched = sessionFile([
  titleSlot('All of it'),
  header(),
  modelChange('acme', 'large-1'),
  user('Add a checkout page', { id: 'ask' }),
  assistant('I look first.', {
    id: 'look',
    thinking: 'Where?',
    calls: [{ id: 'c1', name: 'read', arguments: { path: 'a.ts' } }]
  }),
  toolResult('c1', 'read', 'export const a = 1\n', { id: 'seen' }),
  assistant('Done.', { id: 'done' }),
  user('Other', { id: 'other', parent: 'done' }),
  assistant('Otherwise.', { id: 'otherwise' }),
  label('done', 'works', { parent: 'done' }),
  compaction('What was', 'done', { id: 'short' }),
  branchSummary('The other way', 'otherwise'),
  { ...withImages(['image/png', png], ['image/svg+xml', Buffer.from('<svg onload="alert(1)"/>')]), id: 'pictures' },
  { type: 'from_the_future', anything: { deep: [1] } },
  assistant('The end.', { id: 'end' })
])

const hostile = [
  '<script>document.title = "taken"</script>',
  '<img src=x onerror=alert(1)>',
  '"><svg onload=alert(1)>',
  '</pre></details></article></main></body><h2>Turn 99</h2>',
  '```\n~~~\n````````\n# Heading\n</details>\n> ``` x\n- item\n    <b>',
  '[a]: https://example.invalid\n![a](https://example.invalid/x.png) [a] <https://example.invalid>',
  'one\r## Turn 77\r\n\u0000\u001b[31m\u009b\u2028</script>--><!--',
  '&lt;b&gt; &#60;i&#62; `${x}` \\<u> *a* _b_ | c |',
  'Setext\n===\n\n1. list\n\n> quote\n'
]
const everywhereOf = (text: string, index: number) => [
  user(text, { id: `ask ${index} ${text}` }),
  assistant(text, {
    thinking: text,
    calls: [{ id: text, name: text, arguments: { [text]: text } }],
    stopReason: text
  }),
  toolResult(text, text, text),
  compaction(text, text),
  branchSummary(text, text),
  modelChange(text, text),
  label(`ask ${index} ${text}`, text),
  { type: text, [text]: { [text]: text } },
  { type: 'custom_message', customType: text, content: text, display: true },
  {
    type: 'message',
    message: { role: text, content: [{ type: text }, { type: 'image', mimeType: text, data: 'AAAA' }] }
  },
  { type: 'message', message: { role: 'bashExecution', command: text, output: text, exitCode: 1 } }
]
/** A session that says these texts wherever it can say something. */
const everywhere = (...texts: readonly string[]) =>
  sessionFile([header({ cwd: texts[0], title: texts[0] }), ...texts.flatMap(everywhereOf)])

describe('normalized', () => {
  const count = v.nullable(v.number())
  const strict = v.strictObject
  const usage = strict({
    requests: v.number(),
    input: count,
    cacheRead: count,
    cacheWrite: count,
    output: count,
    reasoning: count,
    total: count,
    cost: count,
    inherited: v.number(),
    unknown: v.number()
  })
  const block = v.variant('type', [
    strict({ type: v.literal('text'), text: v.string() }),
    strict({ type: v.literal('thinking'), text: v.string() }),
    strict({ type: v.literal('tool-call'), id: v.string(), name: v.string(), arguments: v.unknown() }),
    strict({
      type: v.literal('tool-result'),
      callId: v.string(),
      isError: v.boolean(),
      text: v.string(),
      name: v.nullable(v.string())
    }),
    strict({ type: v.literal('image'), mimeType: v.string(), bytes: count }),
    strict({ type: v.literal('other'), name: v.string(), value: v.unknown() })
  ])
  const entry = strict({
    id: v.string(),
    parent: v.nullable(v.string()),
    kind: v.string(),
    role: v.nullable(v.string()),
    time: v.nullable(v.pipe(v.string(), v.isoTimestamp())),
    preview: v.pipe(v.string(), v.maxLength(200)),
    bytes: v.nullable(v.tuple([v.number(), v.number()])),
    line: count,
    label: v.nullable(v.string()),
    model: v.nullable(v.string()),
    usage: v.nullable(usage),
    onDefaultPath: v.boolean(),
    blocks: v.array(block),
    facts: v.array(v.tuple([v.string(), v.string()]))
  })
  const head = strict({
    schema: v.literal('treeline.normalized'),
    version: v.literal(1),
    agent: v.string(),
    source: strict({ file: v.string(), bytes: v.number(), sha256: v.pipe(v.string(), v.hexadecimal()) }),
    session: strict({
      id: v.string(),
      title: v.nullable(v.string()),
      cwd: v.nullable(v.string()),
      createdAt: v.nullable(v.string()),
      parent: v.nullable(strict({ id: v.nullable(v.string()), file: v.nullable(v.string()) }))
    }),
    entry: v.nullable(v.string()),
    entries: v.number(),
    entriesInSession: v.number(),
    redacted: v.boolean()
  })

  function parsed(content: string) {
    expect(content.endsWith('\n')).toBe(true)
    const [first, ...rest] = content
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown)
    return { head: v.parse(head, first), entries: rest.map((line) => v.parse(entry, line)) }
  }

  test('has a header and every entry of the file, in its order, as `show` has them', async () => {
    const { file, content, result } = await exported(branched, 'normalized')
    const { head: first, entries } = parsed(content)
    expect(first).toMatchObject({
      agent: 'omp',
      source: { file, bytes: Buffer.byteLength(branched), sha256: createHash('sha256').update(branched).digest('hex') },
      session: { title: 'All of it' },
      entry: null,
      entries: 13,
      entriesInSession: 13,
      redacted: false
    })
    const shown = (await place.treeline('show', file, '--json')).json<{ entries: { id: string }[] }>().entries
    expect(entries.map(({ blocks: _blocks, facts: _facts, ...rest }) => rest)).toEqual(shown)
    expect(result).toMatchObject({ entries: 13, resumable: false, redacted: null })
  })

  test('of a path has its entries alone, with what each says', async () => {
    const { content } = await exported(branched, 'normalized', '--entry', 'seen')
    const { head: first, entries } = parsed(content)
    expect(first).toMatchObject({ entry: 'seen', entries: 4, entriesInSession: 13 })
    expect(entries.map(({ id, blocks }) => [id, blocks])).toEqual([
      [idAt(2), []],
      ['ask', [{ type: 'text', text: 'Add a checkout page' }]],
      [
        'look',
        [
          { type: 'thinking', text: 'Where?' },
          { type: 'text', text: 'I look first.' },
          { type: 'tool-call', id: 'c1', name: 'read', arguments: { path: 'a.ts' } }
        ]
      ],
      ['seen', [{ type: 'tool-result', callId: 'c1', isError: false, text: 'export const a = 1\n', name: 'read' }]]
    ])
  })

  test('is of its schema whatever the source says', async () => {
    for (const text of hostile) parsed((await exported(everywhere(text), 'normalized')).content)
    const deep = `{"type":"message","id":"d","parentId":null,"message":{"role":"assistant","content":[{"type":"toolCall","id":"x","name":"y","arguments":${'['.repeat(9000)}${']'.repeat(9000)}}]}}\n`
    expect(parsed((await exported(`${sessionFile([header()])}${deep}`, 'normalized')).content).entries).toHaveLength(1)
    expect(parsed((await exported('', 'normalized')).content).entries).toEqual([])
  })
})

describe('markdown', () => {
  const markdown = new MarkdownIt({ html: true })

  /** The document's own structure, as a program that knows nothing of us reads it. */
  function structure(content: string) {
    const tokens = markdown.parse(content, {})
    const inQuote = (at: number) =>
      tokens
        .slice(0, at)
        .reduce(
          (depth, { type }) => depth + (type === 'blockquote_open' ? 1 : type === 'blockquote_close' ? -1 : 0),
          0
        ) > 0
    const own = tokens.filter((_, at) => !inQuote(at))
    return {
      headings: own.flatMap((token, at) =>
        token.type === 'heading_open' ? [`${token.tag} ${own[at + 1]?.content}`] : []
      ),
      fences: tokens.filter(({ type }) => type === 'fence').map((token) => token.content),
      html: tokens
        .flatMap((token) => [token, ...(token.children ?? [])])
        .filter(({ type }) => type === 'html_block' || type === 'html_inline')
        .map((token) => token.content.trim()),
      fetched: tokens.flatMap(({ children }) => children ?? []).filter(({ type }) => type === 'image')
    }
  }

  test('is the default path, a heading a turn, thinking and output folded, with what is not in it', async () => {
    const { file, content, result } = await exported(branched, 'markdown')
    const { headings, fences, html } = structure(content)
    expect(headings.map((heading) => heading.replace(/ · .*/, ''))).toEqual([
      'h1 All of it',
      'h2 Before the first turn',
      'h3 Model change',
      'h2 Turn 1',
      'h3 User',
      'h3 Assistant',
      'h3 Tool result',
      'h3 Assistant',
      'h3 Label',
      'h3 Compaction',
      'h3 Branch summary',
      'h2 Turn 2',
      'h3 User',
      'h3 Unknown',
      'h3 Assistant'
    ])
    expect(fences).toContain('Where?\n')
    expect(fences).toContain('export const a = 1\n')
    expect(html).toContain('<details><summary>Thinking, 1 line, 6 characters</summary>')
    expect(html).toContain('<details><summary>Output read, 1 line, 19 characters</summary>')
    expect(content).toContain('\n> I look first.\n')
    expect(content).toContain(`\n- File: ${file.replaceAll('_', String.raw`\_`)}, `)
    expect(content).toContain('- Holds: 11 of 13 entries\n- Not in it: 2 entries\n- Leaves not in it: otherwise\n')
    expect(content).toContain('**Branch point.** 1 other branch begins here, not in this export: other\n')
    expect(content).toContain('*Image, image/svg+xml, 24 bytes, left out*')
    expect(content).not.toContain('Otherwise.')
    expect(result).toMatchObject({ entries: 11, addedLineFeeds: 0, resumable: false })
  })

  test('of another entry is the path to it', async () => {
    const { content } = await exported(branched, 'markdown', '--entry', 'otherwise')
    expect(content).toContain('> Otherwise.')
    expect(content).not.toContain('The end.')
  })

  test('cannot be broken by what it holds', async () => {
    const tame = structure((await exported(everywhere('tame'), 'markdown')).content)
    for (const text of hostile) {
      const { headings, html, fences, fetched } = structure((await exported(everywhere(text), 'markdown')).content)
      const levels = (all: readonly string[]) => all.map((heading) => heading.slice(0, 2))
      expect(levels(headings)).toEqual(levels(tame.headings))
      for (const tag of html) expect(tag).toMatch(/^(<details><summary>[^<>]*<\/summary>|<\/details>)$/)
      expect(fetched).toEqual([])
      const shown = text
        .replaceAll(/\r\n?/g, '\n')
        .replaceAll('\0', '␀')
        .replaceAll('\u001b', '␛')
        .replaceAll('\u009b', '\ufffd')
      expect(fences).toContain(shown.endsWith('\n') ? shown : `${shown}\n`)
    }
  })

  test('holds in any text', async () => {
    const piece = fc.constantFrom(
      '`',
      '```',
      '~~~',
      '\n',
      '\r',
      ' ',
      '>',
      '#',
      '<b>',
      '</details>',
      '[',
      '](',
      '!',
      '\\',
      '-',
      '    ',
      'x',
      '\t',
      '&lt;'
    )
    const tame = structure((await exported(everywhere('tame'), 'markdown')).content)
    const entriesOfTame = tame.headings.filter((heading) => heading.startsWith('h3')).length
    const text = fc.array(piece, { minLength: 1, maxLength: 30 }).map((pieces) => pieces.join(''))
    await fc.assert(
      fc.asyncProperty(fc.array(text, { minLength: 20, maxLength: 20 }), async (texts) => {
        const { headings, html } = structure((await exported(everywhere(...texts), 'markdown')).content)
        expect(headings.filter((heading) => heading.startsWith('h3')).length).toBe(20 * entriesOfTame)
        for (const tag of html) expect(tag).toMatch(/^(<details><summary>[^<>]*<\/summary>|<\/details>)$/)
      }),
      { numRuns: 4 }
    )
  })
})

describe('html', () => {
  /** Tags as a tokenizer that trusts nothing finds them: every `<` must begin one of them. */
  function tags(content: string): string[] {
    const [, style = ''] = /<style>([^<]*)<\/style>/.exec(content) ?? []
    const found = content.replace(style, '').match(/<[^>]*>?/g) ?? []
    for (const tag of found) expect(tag).toMatch(allowed)
    return found
  }
  const allowed =
    /^<(?:!doctype html|html lang="en"|meta [^<>]*|\/?(?:html|head|title|style|body|main|h[123]|dl|div|dt|dd|p|pre|code|details|summary|article|strong|figure|figcaption)|article class="(?:user|assistant|tool|other)"|p class="(?:place|image|branches)"|pre class="said"|img alt="" src="data:image\/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/=]+")>$/

  test('is the default path as one page, with a policy that allows its style and nothing else', async () => {
    const { content } = await exported(branched, 'html')
    const [, policy] = /<meta http-equiv="Content-Security-Policy" content="([^"]*)">/.exec(content) ?? []
    const [, style = ''] = /<style>([^<]*)<\/style>/.exec(content) ?? []
    expect(policy).toBe(
      `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; img-src data:; base-uri 'none'; form-action 'none'`
    )
    expect(style).toContain('prefers-color-scheme: dark')
    expect(style).not.toMatch(/url\(|@import/)
    const found = tags(content)
    expect(found.filter((tag) => tag.startsWith('<article'))).toHaveLength(11)
    expect(found.filter((tag) => tag === '<h2>')).toHaveLength(3)
    expect(content).toContain(`<img alt="" src="data:image/png;base64,${png.toString('base64')}">`)
    expect(content).toContain('Image, image/svg+xml, 24 bytes, left out')
    expect(content).toContain('<dt>Leaves not in it</dt><dd>otherwise</dd>')
    expect(content).toContain('1 other branch begins here, not in this export: other')
    expect(content).not.toContain('Otherwise.')
  })

  test('is inert whatever it holds', async () => {
    for (const text of hostile) tags((await exported(everywhere(text), 'html')).content)
    const large = Buffer.alloc(300_000, 1)
    const { content } = await exported(sessionFile([header(), withImages(['image/png', large])]), 'html')
    expect(content).toContain('Image, image/png, 300,000 bytes, left out')
  })

  test('takes a chain of 20,000 entries', { timeout: 60_000 }, async () => {
    const chain = sessionFile([header(), ...Array.from({ length: 20_000 }, (_, index) => user(`message ${index}`))])
    const { content, result } = await exported(chain, 'html')
    expect(result.entries).toBe(20_000)
    expect(content.split('<article').length - 1).toBe(20_000)
    expect(content).toContain('message 19999</pre>')
    expect(content.endsWith('</html>\n')).toBe(true)
  })
})

describe('--redact', () => {
  const seeded = Object.values(secrets)
  const befores = ['', 'key: ', '\n', '"', '\\', '{"a":"', 'word '.repeat(37), "'\t"]
  const afters = ['', '\n', '".', ' and more', '\\n']
  const seededTexts = seeded.flatMap((secret) =>
    befores.flatMap((before) => afters.map((after) => `${before}${secret}${after}`))
  )

  test.each(forms)('no secret survives in %s, wherever it stood', { timeout: 60_000 }, async (as) => {
    const { content, result, stderr } = await exported(everywhere(...seededTexts), as, '--redact')
    for (const secret of seeded) {
      const body = secret.split('\n')[1] ?? secret
      expect(content.includes(body)).toBe(false)
      expect(content.includes(body.slice(0, 24))).toBe(false)
    }
    expect(result.resumable).toBe(false)
    const counts = result.redacted?.map(({ count }) => count) ?? []
    expect(counts).toHaveLength(seeded.length)
    const all = counts.reduce((sum, count) => sum + count, 0)
    expect(all).toBeGreaterThan(seededTexts.length * 10)
    expect(stderr).toContain(`${all.toLocaleString('en-US')} likely secrets in what is exported`)
    expect(stderr).toContain('Each is replaced.')
    const { stderr: told } = await exported(everywhere(...seededTexts), as)
    expect(told.split(' They stay')[0]).toBe(stderr.split(' Each is')[0])
    if (as === 'jsonl' || as === 'normalized') for (const line of content.trimEnd().split('\n')) JSON.parse(line)
  })

  test('leaves the lines of a JSONL without secrets as they are', async () => {
    const secret = secrets['GitHub token']
    const { content, result } = await exported(branched.replace('Where?', secret), 'jsonl', '--redact')
    expect(content).toBe(branched.replace('Where?', '[redacted: GitHub token]'))
    expect(result).toMatchObject({ redacted: [{ kind: 'GitHub token', count: 1 }], resumable: false })
  })

  test('puts no image into a page, where nobody could look for secrets', async () => {
    const { content } = await exported(branched, 'html', '--redact')
    expect(content).not.toContain('<img')
  })

  test('is told in words', async () => {
    const file = place.write('told.jsonl', branched.replace('Where?', secrets['AWS access key']))
    const out = join(place.folder, 'told.redacted.jsonl')
    const { stdout } = await place.treeline('export', file, '--as', 'jsonl', '--redact', '--out', out)
    expect(stdout).toContain('1 likely secret (AWS access key: 1)')
    expect(stdout).toContain('not a session to resume')
  })
})

test('without --redact what is likely a secret is told first and stays, byte for byte', async () => {
  const text = branched.replace('Where?', secrets['Stripe key'])
  const { content, result, stderr } = await exported(text, 'jsonl')
  expect(content === text).toBe(true)
  expect(result).toMatchObject({ redacted: null, resumable: true })
  expect(stderr).toBe(
    'treeline export: 1 likely secret in what is exported (Stripe key: 1). They stay as they are; --redact replaces them.\n'
  )
  expect((await exported(text, 'markdown')).content).toContain(secrets['Stripe key'])
})

test('an entry that is not there writes nothing', async () => {
  const out = join(place.folder, 'nothing.html')
  const file = place.write('nothing.jsonl', branched)
  const { exitCode } = await place.treeline('export', file, '--entry', 'none', '--as', 'html', '--out', out)
  expect([exitCode, existsSync(out)]).toEqual([1, false])
})
