import { expect, test } from 'vitest'
import { findSecrets } from './find-secrets.ts'

// Put together here, so that no scanner takes this file for a leak.
const secrets = {
  'Anthropic key': `sk-${'ant'}-api03-${'aB3_'.repeat(8)}`,
  'OpenAI key': `sk-${'proj'}-${'aB3x'.repeat(8)}`,
  'GitHub token': `gh${'p'}_${'aB3x'.repeat(9)}`,
  'AWS access key': `AK${'IA'}${'ABCD'.repeat(4)}`,
  'Stripe key': `sk_${'live'}_${'aB3x'.repeat(6)}`,
  'Slack token': `xox${'b'}-${'1234567890'}-abcdef`,
  'Google key': `AI${'za'}${'aB3x'.repeat(9)}`,
  'Private key': `-----BEGIN RSA ${'PRIVATE'} KEY-----`,
  'JSON web token': `ey${'J'}${'hbGciOiJI'.repeat(2)}.ey${'J'}${'zdWIiOiIx'.repeat(2)}.${'aB3x'.repeat(8)}`
}

async function* chunked(text: string, size: number) {
  for (let at = 0; at < text.length; at += size) yield await Promise.resolve(Buffer.from(text.slice(at, at + size)))
}

const find = (text: string, size = 2 ** 20) => findSecrets(chunked(text, size))

test.each(Object.entries(secrets))(
  '%s is found at the start, in a string and behind an escape',
  async (kind, secret) => {
    expect(await find(secret)).toEqual([{ kind, count: 1 }])
    expect(await find(JSON.stringify({ text: `key:\n${secret}\nand '${secret}'` }))).toEqual([{ kind, count: 2 }])
  }
)

test('each kind is counted by itself', async () => {
  const found = await find(Object.values(secrets).join(' '))
  expect(found).toEqual(Object.keys(secrets).map((kind) => ({ kind, count: 1 })))
})

test.each([100, 4096, 5000, 8191])('is counted once, wherever chunks of %i bytes are cut', async (size) => {
  const text = `${secrets['GitHub token']} ${'word '.repeat(801)}`.repeat(12)
  expect(await find(text, size)).toEqual([{ kind: 'GitHub token', count: 12 }])
})

test('plain words are none', async () => {
  const words =
    'a task-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa, disk-usage-of-all-the-things-here, sk-short, eyJhbGci, AKIAshort'
  expect(await find(words)).toEqual([])
})

test('a long run of one letter takes no time', async () => {
  const started = performance.now()
  expect(await find(`sk-${'a'.repeat(2 ** 23)} ${'eyJ-'.repeat(2 ** 20)} ${'-----BEGIN '.repeat(2 ** 18)}`)).toEqual([
    { kind: 'OpenAI key', count: 1 }
  ])
  expect(performance.now() - started).toBeLessThan(10_000)
})

test('stops when it is cancelled', async () => {
  await expect(findSecrets(chunked('text', 1), AbortSignal.abort())).rejects.toThrow()
})
