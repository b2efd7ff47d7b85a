import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { redactText, SecretTally } from './find-secrets.ts'
import { filterLines } from './filter-lines.ts'
import { gather } from './gather.ts'
import { countSecrets, redactSecrets } from './secret-filter.ts'
import { secrets } from './testing/secrets.ts'

function redacted(text: string) {
  const tally = new SecretTally()
  return { text: redactText(text, tally), found: tally.list() }
}

async function* chunked(text: string, size: number) {
  const bytes = Buffer.from(text)
  const reused = Buffer.alloc(size)
  for (let at = 0; at < bytes.length; at += size) {
    const length = bytes.copy(reused, 0, at, at + size)
    yield await Promise.resolve(reused.subarray(0, length))
    reused.fill(0)
  }
}

async function lines(text: string, size = 2 ** 16) {
  const tally = new SecretTally()
  const redactedLines = filterLines(chunked(text, size), redactSecrets(tally))
  return { text: (await buffer(gather(redactedLines))).toString(), found: tally.list() }
}

test.each(Object.entries(secrets))('%s is found alone and in a sentence', (kind, secret) => {
  expect(redacted(secret)).toEqual({ text: `[redacted: ${kind}]`, found: [{ kind, count: 1 }] })
  expect(redacted(`key:\n${secret}\nand '${secret}'.`)).toEqual({
    text: `key:\n[redacted: ${kind}]\nand '[redacted: ${kind}]'.`,
    found: [{ kind, count: 2 }]
  })
})

test.each(Object.entries(secrets))('%s is found in a line of JSON, however it is escaped', async (kind, secret) => {
  const escaped = [...secret].map((character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')
  const within = JSON.stringify(JSON.stringify({ text: `key:\n${secret}\n` }))
  const line = `{"${escaped}":1, "a":"x\\n${escaped}\\ny",  "in": ${within},"n":1.0}\n`
  const { text, found } = await lines(line)
  expect(found).toEqual([{ kind, count: 3 }])
  expect(text).toBe(
    `{"[redacted: ${kind}]":1, "a":"x\\n[redacted: ${kind}]\\ny",  "in": ${within.replace(
      JSON.stringify(JSON.stringify(secret).slice(1, -1)).slice(1, -1),
      `[redacted: ${kind}]`
    )},"n":1.0}\n`
  )
})

test('each kind is counted by itself', () => {
  expect(redacted(Object.values(secrets).join(' ')).found).toEqual(
    Object.keys(secrets).map((kind) => ({ kind, count: 1 }))
  )
})

test('a private key goes up to its last line, and as far as it is there where it was cut', () => {
  const key = secrets['Private key']
  const cut = key.split('\n').slice(0, 3).join('\n')
  expect(redacted(`before ${key} after`).text).toBe('before [redacted: Private key] after')
  expect(redacted(`before\n${cut}`).text).toBe('before\n[redacted: Private key]')
  expect(redacted(`"${cut.replaceAll('\n', '\\n')}", more`).text).toBe('"[redacted: Private key]", more')
})

test('a damaged line is searched as it stands, and the lines around it are', async () => {
  const secret = secrets['GitHub token']
  const { text, found } = await lines(`{"a":"torn ${secret}\n{"b":"${secret}"} garbage " ${secret}\n\n"${secret}`)
  expect(text).toBe(
    '{"a":"torn [redacted: GitHub token]\n{"b":"[redacted: GitHub token]"} garbage " [redacted: GitHub token]\n\n"[redacted: GitHub token]'
  )
  expect(found).toEqual([{ kind: 'GitHub token', count: 4 }])
})

test.each([1, 100, 4096, 5000])('lines are found whole, wherever chunks of %i bytes are cut', async (size) => {
  const line = `{"ä":"${secrets['GitHub token']} ${'wörd '.repeat(80)}"}\r\n`
  const { text, found } = await lines(line.repeat(12), size)
  expect(found).toEqual([{ kind: 'GitHub token', count: 12 }])
  expect(text).toBe(line.replace(secrets['GitHub token'], '[redacted: GitHub token]').repeat(12))
})

test('where nothing is replaced, every byte stays', async () => {
  const bytes = Buffer.from('\ufeff{"a":"\\u0041\\ud800","b":1e400}\r\n\xff\xfe"\n{"c":"\\/"} {"torn', 'latin1')
  async function* once() {
    yield await Promise.resolve(bytes)
  }
  const tally = new SecretTally()
  for (const filter of [redactSecrets(tally), countSecrets(tally)]) {
    expect(await buffer(gather(filterLines(once(), filter)))).toEqual(bytes)
  }
})

test('a line too long for a text is searched in pieces, and not redacted', async () => {
  const line = `{"a":"${secrets['GitHub token']}"}\n`
  const tally = new SecretTally()
  expect((await buffer(gather(filterLines(chunked(line, 7), countSecrets(tally), 20)))).toString()).toBe(line)
  expect(tally.list()).toEqual([{ kind: 'GitHub token', count: 1 }])
  const redacting = buffer(gather(filterLines(chunked(line, 7), redactSecrets(tally), 20)))
  await expect(redacting).rejects.toMatchObject({ code: 'unsupported' })
})

test('the start of a secret at a cut is left out', () => {
  const filter = redactSecrets(new SecretTally())
  const [start] = [secrets['Anthropic key'].slice(0, 12)]
  expect(filter.uncut(`${'word '.repeat(38)}key ${start}`.slice(0, 200))).toBe(`${'word '.repeat(38)}key …`)
  expect(filter.uncut(`a title with ${start}…`)).toBe('a title with …')
  expect(filter.uncut(`whole ${start}`)).toBe(`whole ${start}`)
})

test('a secret in a cut word is counted whether it is replaced or not', () => {
  const cut = `${'word '.repeat(38)}${secrets['GitHub token']}`.slice(0, 200) + secrets['GitHub token'].slice(10, 24)
  const [replaced, counted] = [new SecretTally(), new SecretTally()]
  const redacting = redactSecrets(replaced)
  const counting = countSecrets(counted)
  expect(redacting.text(redacting.uncut(cut))).toBe(`${'word '.repeat(38)}…`)
  expect(counting.text(counting.uncut(cut))).toBe(cut)
  expect(replaced.list()).toEqual([{ kind: 'GitHub token', count: 1 }])
  expect(counted.list()).toEqual(replaced.list())
})

test('plain words are none', () => {
  const words =
    'a task-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa, disk-usage-of-all-the-things-here, sk-short, eyJhbGci, AKIAshort'
  expect(redacted(words)).toEqual({ text: words, found: [] })
})

test('a long run of one letter takes no time', () => {
  const started = performance.now()
  const text = `sk-${'a'.repeat(2 ** 23)} ${'eyJ-'.repeat(2 ** 20)} ${'-----BEGIN '.repeat(2 ** 18)} ${'\\'.repeat(2 ** 20)}`
  expect(redacted(text).found).toEqual([{ kind: 'OpenAI key', count: 1 }])
  const begins = `${secrets['Private key'].split('\n')[0]} `.repeat(2 ** 14)
  expect(redacted(begins).found).toEqual([{ kind: 'Private key', count: 2 ** 14 }])
  expect(performance.now() - started).toBeLessThan(10_000)
})
