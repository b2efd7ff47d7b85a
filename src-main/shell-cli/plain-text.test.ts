import { expect, test } from 'vitest'
import { fit, plainText } from './plain-text.ts'

test('a text cannot colour or move anything in the terminal', () => {
  expect(plainText('a\u001b[31mred\u001b[0m\r\nb\u009b2Jc\u0007\u202Etxt.exe\u2028d')).toBe(
    'a [31mred [0m b 2Jc txt.exe d'
  )
})

test('lone surrogates become the replacement character', () => {
  expect(plainText('a\ud83d b')).toBe('a\ufffd b')
})

test('a text that is too long ends in an ellipsis, never in half a character', () => {
  expect(fit('abc', 3)).toBe('abc')
  expect(fit('abcd', 3)).toBe('ab…')
  expect(fit('😀😀😀😀', 3)).toBe('😀😀…')
  expect(fit('anything', Infinity)).toBe('anything')
})
