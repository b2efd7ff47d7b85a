import { expect, test } from 'vitest'
import { languageName } from './language-name.ts'

test('the first word behind a fence names the language, by its usual short names too', () => {
  expect(['ts', 'TypeScript', 'sh {title="x"}', 'c++', 'rust,ignore'].map(languageName)).toEqual([
    'typescript',
    'typescript',
    'bash',
    'cpp',
    'rust'
  ])
})

test('names of an object’s own are names like any other', () => {
  expect(languageName('constructor')).toBe('constructor')
  expect(languageName('')).toBe('')
})
