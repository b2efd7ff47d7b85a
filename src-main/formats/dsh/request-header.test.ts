import { expect, test } from 'vitest'
import type { Json } from '#shared/model/records.ts'
import { foldRequestHeader } from './request-header.ts'

const config = { provider: 'acme', model: 'large-1' }
const header = (members: { readonly [name: string]: Json }, reason = 'initial') => ({
  type: 'request/header',
  data: { header: { config, ...members }, reason }
})

test('the last header of a log is in force, whole', () => {
  const tools = [{ name: 'read' }]
  const events = [
    header({ system: 'Be brief', tools }),
    { type: 'turn/start', data: { turn: 1 } },
    header({ system: 'Be long' }, 'change')
  ]
  expect(foldRequestHeader(events)).toEqual({ config, system: 'Be long' })
  expect(foldRequestHeader(events.slice(0, 2))).toEqual({ config, system: 'Be brief', tools })
})

test('a log without headers has none, or the one that was in force before', () => {
  expect(foldRequestHeader([{ type: 'turn/start' }])).toBeUndefined()
  expect(foldRequestHeader([], { config })).toEqual({ config })
})

test('what is empty is left out', () => {
  const empty = { system: '', tools: [], messagePrefix: [], adapterDefaults: {} }
  expect(foldRequestHeader([header(empty)])).toEqual({ config })
  const adapterDefaults = { reasoningEffort: true }
  expect(foldRequestHeader([header({ adapterDefaults })])).toEqual({ config, adapterDefaults })
})

test('a prefix of messages stays in the header', () => {
  const messagePrefix = [{ role: 'user', content: [] }]
  expect(foldRequestHeader([header({ messagePrefix })])).toEqual({ config, messagePrefix })
})

test('deltas and the reason "fallback" are refused', () => {
  const delta = { type: 'request/header-delta', data: { system: 'x' } }
  expect(() => foldRequestHeader([header({}), delta])).toThrow(/request\/header-delta/)
  expect(() => foldRequestHeader([header({}, 'fallback')])).toThrow(/fallback/)
  for (const reason of ['initial', 'resume', 'change', 'series']) {
    expect(foldRequestHeader([header({}, reason)])).toEqual({ config })
  }
})
