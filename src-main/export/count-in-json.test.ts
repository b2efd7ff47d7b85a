import fc from 'fast-check'
import { expect, test } from 'vitest'
import { countInJson } from './count-in-json.ts'
import { SecretTally } from './find-secrets.ts'
import { redactSecrets } from './secret-filter.ts'
import { secrets } from './testing/secrets.ts'

function counted(line: string, pieceLength?: number) {
  const tally = new SecretTally()
  countInJson(Buffer.from(line), tally, pieceLength)
  return tally.list()
}

function replaced(line: string) {
  const tally = new SecretTally()
  redactSecrets(tally).json(Buffer.from(line).toString())
  return tally.list()
}

const escaped = (text: string) =>
  [...text].map((character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')

test.each(Object.entries(secrets))('%s is counted in a long line, however it is escaped', (kind, secret) => {
  const filler = 'wörd \\n '.repeat(2 ** 19)
  const line = `{"a":"${filler}${escaped(secret)} ","${JSON.stringify(secret).slice(1, -1)}":[1,"x"]}\n`
  expect(counted(line)).toEqual([{ kind, count: 2 }])
  expect(replaced(line)).toEqual([{ kind, count: 2 }])
})

test('wherever the pieces are cut, as many are counted as would be replaced', () => {
  const secret = fc.constantFrom(...Object.values(secrets))
  const whole = fc.oneof(
    secret,
    secret.map(escaped),
    secret.map((text) => JSON.stringify(text).slice(1, -1))
  )
  const part = fc.oneof(
    whole,
    fc.tuple(whole, fc.nat(400)).map(([text, length]) => text.slice(0, length)),
    fc.constantFrom(' ', ',', ':', '"', '\\\\', '\\"', '\\n', '\\ud83d\\ude00', 'ä', '🙂', '\\x', '\\', 'sk-'),
    fc.nat(60_000).map((length) => 'aB3x+'.repeat(length / 5)),
    fc.nat(20_000).map((length) => 'wörd \\t'.repeat(length / 7))
  )
  fc.assert(
    fc.property(fc.array(part, { maxLength: 24 }), fc.integer({ min: 1, max: 5000 }), (parts, pieceLength) => {
      const line = `{"a":"${parts.join('')}"}`
      expect(counted(line, pieceLength + Math.ceil(line.length / 200))).toEqual(replaced(line))
    }),
    { numRuns: 200 }
  )
})

test('a private key whose first line lies on the border of two pieces is counted once', () => {
  const key = JSON.stringify(secrets['Private key']).slice(1, -1)
  for (let before = 60; before < 100; before++) {
    const line = `{"a":"${' '.repeat(before)}${key}"}`
    expect(counted(line, 100)).toEqual([{ kind: 'Private key', count: 1 }])
  }
})

test('a string that is no JSON is searched as it stands', () => {
  const line = `{"a":"${secrets['GitHub token']} \\q ${escaped(secrets['Slack token'])}"}`
  expect(counted(line, 16)).toEqual([{ kind: 'GitHub token', count: 1 }])
  expect(replaced(line)).toEqual([{ kind: 'GitHub token', count: 1 }])
})
