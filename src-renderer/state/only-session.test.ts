import { expect, test } from 'vitest'
import type { Folder } from '#shared/contract/folder.ts'
import type { SessionKey } from '#shared/model/keys.ts'
import { onlySession } from './only-session.ts'

const [first, second] = [{ key: 'first' as SessionKey }, { key: 'second' as SessionKey }]
const folder = (state: Folder['state'], sessions: number) => ({ state, sessions })

test('one session in folders that are read is the one that is meant', () => {
  expect(onlySession([first], [folder('ready', 1)])).toBe('first')
  expect(onlySession([first], [folder('ready', 0), folder('ready', 1)])).toBe('first')
  expect(onlySession([first], [folder('gone', 0), folder('ready', 1)])).toBe('first')
})

test('the first session of a folder that is not read yet, or not told yet, is not meant', () => {
  expect(onlySession([first], [folder('reading', 1)])).toBeNull()
  expect(onlySession([first], [])).toBeNull()
  expect(onlySession([first], [folder('ready', 0)])).toBeNull()
  expect(onlySession([first], [folder('ready', 2)])).toBeNull()
})

test('of two sessions, or of none, none is meant', () => {
  expect(onlySession([first, second], [folder('ready', 2)])).toBeNull()
  expect(onlySession([], [folder('ready', 1)])).toBeNull()
})
