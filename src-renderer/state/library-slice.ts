import type { Settings } from '#shared/contract/settings.ts'
import { toggled } from './toggled.ts'

/** How the library is put; remembered. */
type Put = Pick<Settings, 'libraryGroup' | 'librarySort' | 'libraryProject'>

/** How the library is to be put, and what is folded and filtered in it. */
export interface LibrarySlice extends Readonly<Put> {
  readonly libraryFilter: string
  /** Ids of rows that are not as at first: groups that are folded, sessions that are unfolded. */
  readonly libraryToggled: ReadonlySet<string>
  filterLibrary(text: string): void
  putLibrary(part: Partial<Put>): void
  toggleInLibrary(row: string): void
  /** Unfolds a group and sessions in it. */
  unfoldInLibrary(group: string, sessions: readonly string[]): void
}

type Change = Partial<LibrarySlice> | ((state: LibrarySlice) => Partial<LibrarySlice>)

export const librarySlice = (set: (change: Change) => void): LibrarySlice => ({
  libraryGroup: 'project',
  librarySort: 'date',
  libraryProject: null,
  libraryFilter: '',
  libraryToggled: new Set(),
  filterLibrary: (libraryFilter) => set({ libraryFilter }),
  putLibrary: (part) => set(part),
  toggleInLibrary: (row) => set(({ libraryToggled }) => ({ libraryToggled: toggled(libraryToggled, row) })),
  unfoldInLibrary: (group, sessions) =>
    set(({ libraryToggled }) => ({
      libraryToggled: new Set([...[...libraryToggled].filter((row) => row !== group), ...sessions])
    }))
})
