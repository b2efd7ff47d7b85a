import { expect, test } from 'vitest'
import { deferred, loadAhead } from './deferred.tsx'

test('parts are loaded ahead once, one that fails too', async () => {
  const asked: string[] = []
  deferred(async () => {
    asked.push('missing')
    throw new Error('not there')
  })
  deferred(async () => {
    asked.push('there')
    return () => null
  })
  await loadAhead()
  await loadAhead()
  expect(asked).toEqual(['missing', 'there'])
})
