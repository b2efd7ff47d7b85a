import { expect, test } from 'vitest'
import { diffTexts } from './diff-texts.ts'

test('lines that stayed, went and came', () => {
  expect(diffTexts('one\ntwo\n', 'one\nthree\n')).toEqual({
    kind: 'parts',
    parts: [
      { change: 'same', text: 'one\n' },
      { change: 'removed', text: 'two\n' },
      { change: 'added', text: 'three\n' }
    ],
    isCut: false
  })
})

test('a long difference is cut and says so', () => {
  const diff = diffTexts('', 'line\n'.repeat(20_000))
  expect(diff).toMatchObject({ kind: 'parts', isCut: true, parts: [{ change: 'added' }] })
})

test('texts that have nothing in common are given up on in time', () => {
  const lines = (word: string) => Array.from({ length: 60_000 }, (_, at) => `${word} ${at}`).join('\n')
  const start = performance.now()
  expect(diffTexts(lines('a'), lines('b'))).toEqual({ kind: 'too-different' })
  expect(performance.now() - start).toBeLessThan(3000)
})
