import { expect, test } from 'vitest'
import { create } from 'zustand'
import type { SessionKey } from '#shared/model/keys.ts'
import { freshView, type SelectionSlice, selectionSlice, viewOf } from './selection-slice.ts'

const [one, other] = ['one', 'other'] as SessionKey[] as [SessionKey, SessionKey]
const store = () => create<SelectionSlice>()(selectionSlice)

test('each session keeps what was chosen in it', () => {
  const state = store()
  state.getState().changeView(one, { entry: 'e1', tab: 'raw' })
  state.getState().selectSession(other)
  expect(viewOf(state.getState(), other)).toEqual(freshView)
  expect(viewOf(state.getState(), one)).toEqual({ ...freshView, entry: 'e1', tab: 'raw' })
})

test('folding twice unfolds, and other folds stay', () => {
  const state = store()
  for (const entry of ['a', 'b', 'a']) state.getState().toggleFold(one, entry)
  expect([...viewOf(state.getState(), one).folds]).toEqual(['b'])
})

test('no session has a view of its own', () => {
  expect(viewOf(store().getState(), null)).toBe(freshView)
})
