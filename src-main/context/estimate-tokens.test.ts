import { countTokens as reference } from 'gpt-tokenizer/encoding/o200k_base'
import { describe, expect, test } from 'vitest'
import { countTokens } from './count-tokens.ts'
import { tokenEstimate } from './estimate-tokens.ts'

const prose = 'const answer = await client.call("entry.context", { session })\n\n    // 漢字 and émigré, 12345 times\n'

describe('tokens of a text', () => {
  test('are those of the tokenizer', () => {
    expect(countTokens(prose)).toBe(reference(prose))
    expect(countTokens('')).toBe(0)
  })

  test('include words that look like the tokenizer’s own marks', () => {
    expect(countTokens('a <|endoftext|> b <|im_start|>')).toBeGreaterThan(8)
  })

  test('come quickly for runs without a break', () => {
    const started = performance.now()
    for (const run of ['a', ' ', '=', '漢', '\n', '\ud83d']) expect(countTokens(run.repeat(60_000))).toBeGreaterThan(0)
    expect(performance.now() - started).toBeLessThan(10_000)
  })
})

describe('an estimate', () => {
  test('is exact up to 1 MiB, however the text is cut', async () => {
    const text = prose.repeat(3000)
    expect(await tokenEstimate().of([text])).toBe(reference(text))
  })

  test('adds up the texts of a message', async () => {
    expect(await tokenEstimate().of(['one two', 'three'])).toBe(reference('one two') + reference('three'))
  })

  test('above 1 MiB is scaled from the first 256 KiB', async () => {
    const sample = 'word '.repeat(2 ** 18).slice(0, 2 ** 18)
    const text = sample + 'x1?'.repeat(2 ** 19)
    const expected = Math.round((reference(sample) * text.length) / 2 ** 18)
    expect(await tokenEstimate().of([text])).toBe(expected)
    expect(await tokenEstimate().of([sample.slice(0, 1000), text.slice(1000)])).toBeCloseTo(expected, -2)
  })

  test('stops when it is cancelled', async () => {
    const controller = new AbortController()
    const counted = tokenEstimate().of([prose.repeat(5000)], controller.signal)
    controller.abort()
    await expect(counted).rejects.toThrow()
  })

  test('is remembered for a text seen before', async () => {
    const estimate = tokenEstimate()
    const text = prose.repeat(2000)
    const first = await estimate.of([text])
    const controller = new AbortController()
    controller.abort()
    expect(await estimate.of([text], controller.signal)).toBe(first)
  })
})
