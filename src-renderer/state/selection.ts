import { useCallback } from 'react'
import type { SessionKey } from '#shared/model/keys.ts'
import { leafThrough } from '#shared/tree/tree.ts'
import { currentLeafOf, positionsOf, treeOfOutline } from './outline-path.ts'
import { useOutline } from './queries.ts'
import { type SessionView, viewOf } from './selection-slice.ts'
import { useApp } from './store.ts'

export const useSelectedSession = (): SessionKey | null => useApp((state) => state.session)

/** What the person chose in the selected session. */
export const useView = (): SessionView => useApp((state) => viewOf(state, state.session))

/** Changes what was chosen in the selected session; does nothing where none is selected. */
export function useChangeView(): (part: Partial<SessionView>) => void {
  const session = useSelectedSession()
  const changeView = useApp((state) => state.changeView)
  return useCallback((part) => void (session === null || changeView(session, part)), [session, changeView])
}

/** Id of the leaf whose path is the current one; null in an empty session and until its outline is there. */
export function useCurrentLeaf(): string | null {
  const outline = useOutline(useSelectedSession()).data
  const { leaf } = useView()
  return outline === undefined ? null : currentLeafOf(outline, leaf)
}

/** Id of the selected entry; where none was selected, or it is gone, the current leaf. */
export function useSelectedEntry(): string | null {
  const outline = useOutline(useSelectedSession()).data
  const leaf = useCurrentLeaf()
  const { entry } = useView()
  return entry !== null && outline !== undefined && positionsOf(outline).has(entry) ? entry : leaf
}

/** Selects an entry of the selected session; one off the current path makes the last path through it the current one. */
export function useSelectEntry(): (entry: string) => void {
  const outline = useOutline(useSelectedSession()).data
  const leaf = useCurrentLeaf()
  const changeView = useChangeView()
  return useCallback(
    (entry) => {
      const at = outline && positionsOf(outline).get(entry)
      if (outline === undefined || at === undefined) return changeView({ entry, file: null, line: null })
      const current = leaf === null ? -1 : (positionsOf(outline).get(leaf) ?? -1)
      // The path stays with the entry, also when another process goes on elsewhere.
      const through = outline.ids[leafThrough(treeOfOutline(outline), at, current)] ?? null
      changeView({ entry, leaf: through, file: null, line: null })
    },
    [outline, leaf, changeView]
  )
}

/** Folds or unfolds the linear part or branch behind an entry of the selected session. */
export function useToggleFold(): (entry: string) => void {
  const session = useSelectedSession()
  const toggleFold = useApp((state) => state.toggleFold)
  return useCallback((entry) => void (session === null || toggleFold(session, entry)), [session, toggleFold])
}
