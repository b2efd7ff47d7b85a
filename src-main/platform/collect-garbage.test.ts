import { expect, test } from 'vitest'
import { collectGarbage } from './collect-garbage.ts'

test('memory of what is no longer used is given back', () => {
  const before = process.memoryUsage().arrayBuffers
  const held = [Buffer.alloc(2 ** 26)]
  expect(process.memoryUsage().arrayBuffers - before).toBeGreaterThanOrEqual(2 ** 26)
  held.pop()
  collectGarbage()
  collectGarbage()
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(2 ** 25)
})
