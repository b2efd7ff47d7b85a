import { useEffect, useRef } from 'react'
import { tinykeys } from 'tinykeys'
import { mainList } from '#renderer/components/modal/return-target.ts'
import { useOpenFolder } from '#renderer/state/actions.ts'
import { useSessions } from '#renderer/state/queries.ts'
import { useChangeView, useSelectedEntry, useSelectedSession } from '#renderer/state/selection.ts'
import { useApp } from '#renderer/state/store.ts'
import { libraryFilterId } from '#renderer/views/library/ids.ts'
import { projectAmong } from '#renderer/views/library/library-rows.ts'
import { useLimit } from '#renderer/views/library/use-limit.ts'
import { paneIds } from './panes.ts'
import { type ShortcutScope, shortcuts } from './shortcuts.ts'

/** What commands act on now. */
export function useShortcutScope(): ShortcutScope {
  const session = useSelectedSession()
  const entry = useSelectedEntry()
  const changeView = useChangeView()
  const openDialog = useApp((state) => state.openDialog)
  const openFolder = useOpenFolder()
  return {
    session,
    entry,
    changeView,
    openDialog,
    openFolder,
    focusFilter,
    toggleProject: useToggleProject(),
    movePane
  }
}

function useToggleProject(): () => void {
  const selected = useSelectedSession()
  const sessions = useSessions().data
  const limitTo = useLimit()
  return () => {
    const project = selected === null ? null : projectAmong(sessions ?? [], selected)
    limitTo(useApp.getState().libraryProject === project ? null : project)
  }
}

/** Listens for the shortcuts of the whole window, save while a dialog is open. */
export function useShortcuts(): void {
  const now = useShortcutScope()
  const scope = useRef<ShortcutScope | null>(null)
  useEffect(() => {
    scope.current = now
  })
  useEffect(
    () =>
      tinykeys(
        window,
        Object.fromEntries(
          shortcuts.map(({ keys, run }) => [
            keys,
            (event: KeyboardEvent) => {
              event.preventDefault()
              if (scope.current !== null) run(scope.current)
            }
          ])
        ),
        {
          ignore: (event) =>
            event.defaultPrevented ||
            event.isComposing ||
            useApp.getState().dialog !== null ||
            (isTyped(event) && (event.repeat || takesText(event.target)))
        }
      ),
    []
  )
}

/** A key that would write something into a text field. */
const isTyped = (event: KeyboardEvent): boolean => !event.ctrlKey && !event.metaKey && event.key.length === 1

/** Something that letters and digits mean something to; a choice by a press of a key is none. */
const takesText = (target: EventTarget | null): boolean =>
  target instanceof Element &&
  target.matches('textarea, select, [contenteditable], input:not([type="radio"], [type="checkbox"])')

const focusFilter = () => document.getElementById(libraryFilterId)?.focus()

function movePane(by: 1 | -1): void {
  const panes = paneIds.map((id) => document.getElementById(id)).filter((pane) => pane !== null)
  const here = panes.findIndex((pane) => pane.contains(document.activeElement))
  const next = here < 0 ? 0 : (here + by + panes.length) % panes.length
  const pane = panes[next]
  const list = pane?.querySelector<HTMLElement>(mainList)
  const target = list ?? pane?.querySelector<HTMLElement>('input, button, [tabindex="0"]')
  target?.focus()
}
