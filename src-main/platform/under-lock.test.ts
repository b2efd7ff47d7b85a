import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { underLock } from './under-lock.ts'

let folder: string
let lock: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'treeline-test-'))
  lock = join(folder, 'lock')
})
afterEach(() => rmSync(folder, { recursive: true }))

test('the lock names its process while a step is taken, and is gone after it, also where the step fails', () => {
  expect(underLock(lock, () => readFileSync(lock, 'utf8'))).toBe(String(process.pid))
  expect(existsSync(lock)).toBe(false)
  const fail = () => {
    throw new Error('no')
  }
  expect(() => underLock(lock, fail)).toThrow('no')
  expect(existsSync(lock)).toBe(false)
})

test('a lock whose process has ended is taken over', () => {
  const { pid } = spawnSync(process.execPath, ['--version'])
  writeFileSync(lock, String(pid))
  expect(underLock(lock, () => 'done')).toBe('done')
  expect(existsSync(lock)).toBe(false)
})

test('where there is no folder the system’s error is thrown', () => {
  expect(() => underLock(join(folder, 'gone', 'lock'), () => 1)).toThrow(expect.objectContaining({ code: 'ENOENT' }))
})
