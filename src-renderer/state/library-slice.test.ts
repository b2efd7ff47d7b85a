import { expect, test } from 'vitest'
import { create } from 'zustand'
import { type LibrarySlice, librarySlice } from './library-slice.ts'

const store = () => create<LibrarySlice>()(librarySlice)

test('a row that is toggled twice is as at first', () => {
  const state = store()
  for (const row of ['project:x', 'a', 'project:x']) state.getState().toggleInLibrary(row)
  expect([...state.getState().libraryToggled]).toEqual(['a'])
})

test('unfolding opens a folded group and the sessions in it, whatever they were, and leaves the rest', () => {
  const state = store()
  for (const row of ['project:x', 'project:y', 'a']) state.getState().toggleInLibrary(row)
  state.getState().unfoldInLibrary('project:x', ['a', 'b'])
  expect([...state.getState().libraryToggled].toSorted()).toEqual(['a', 'b', 'project:y'])
})
