import { useCallback, useMemo } from 'react'
import type { Requests } from '#shared/contract/usage.ts'
import type { Outline } from '#shared/model/entry.ts'
import type { SessionKey } from '#shared/model/keys.ts'
import { positionsOf } from '#renderer/state/outline-path.ts'
import { useOutline } from '#renderer/state/queries.ts'
import { useSelectedEntry, useSelectEntry } from '#renderer/state/selection.ts'

interface RequestChoice {
  /**
   * Index of the selected entry's request, else of the first one behind it, else of the last one; -1 where nothing is
   * selected, or something of another log than the requests.
   */
  readonly selected: number
  readonly onSelect: (index: number) => void
}

/** The request that belongs to the selected entry, and how to select another's. */
export function useRequestChoice(session: SessionKey, requests: Requests): RequestChoice {
  const outline = useOutline(session).data
  const entry = useSelectedEntry()
  const selectEntry = useSelectEntry()
  const selected = useMemo(() => {
    const at = entry === null || outline === undefined ? -1 : (positionsOf(outline).get(entry) ?? -1)
    const index = requests.at.indexOf(at)
    if (index >= 0 || at < 0) return index
    const next = requests.at.findIndex((request) => request > at)
    const near = next < 0 ? requests.at.length - 1 : next
    return outline !== undefined && rootOf(outline, requests.at[near] ?? -1) === rootOf(outline, at) ? near : -1
  }, [entry, outline, requests])
  const onSelect = useCallback(
    (index: number) => {
      const id = outline?.ids[requests.at[index] ?? -1]
      if (id !== undefined) selectEntry(id)
    },
    [outline, requests, selectEntry]
  )
  return { selected, onSelect }
}

function rootOf({ parents }: Outline, at: number): number {
  let here = at
  for (let steps = 0; steps < parents.length && (parents[here] ?? -1) >= 0; steps++) here = parents[here] ?? -1
  return here
}
