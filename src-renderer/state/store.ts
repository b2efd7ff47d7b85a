import { create } from 'zustand'
import { type ConnectionSlice, connectionSlice } from './connection-slice.ts'
import { type DialogSlice, dialogSlice } from './dialog-slice.ts'
import { type LayoutSlice, layoutSlice } from './layout-slice.ts'
import { type LibrarySlice, librarySlice } from './library-slice.ts'
import { type SelectionSlice, selectionSlice } from './selection-slice.ts'

export type AppState = SelectionSlice & LibrarySlice & DialogSlice & LayoutSlice & ConnectionSlice

/** What the person did. What the engine said lives in the query cache. */
export const useApp = create<AppState>()((set) => ({
  ...selectionSlice(set),
  ...librarySlice(set),
  ...dialogSlice(set),
  ...layoutSlice(set),
  ...connectionSlice(set)
}))
