import type { SessionKey } from '#shared/model/keys.ts'
import type { OpenDialog } from '#renderer/state/dialog-slice.ts'
import { type SessionView, tabNames, tabs } from '#renderer/state/selection-slice.ts'

/** What a shortcut can act on. */
export interface ShortcutScope {
  readonly session: SessionKey | null
  readonly entry: string | null
  openDialog(dialog: OpenDialog): void
  changeView(part: Partial<SessionView>): void
  openFolder(): void
  focusFilter(): void
  /** Limits the library to the selected session's project; lifts that limit where it is there. */
  toggleProject(): void
  /** Moves the focus to the next pane, or with -1 to the one before. */
  movePane(by: 1 | -1): void
}

interface Shortcut {
  /** As tinykeys spells it. */
  readonly keys: string
  readonly shown: string
  readonly what: string
  /** What has to be selected for it; nothing where left out. */
  readonly needs?: 'session' | 'entry'
  readonly run: (scope: ShortcutScope) => void
}

const atEntry = (run: (scope: ShortcutScope, session: SessionKey, entry: string) => void) => (scope: ShortcutScope) => {
  if (scope.session !== null && scope.entry !== null) run(scope, scope.session, scope.entry)
}

/** Every shortcut that works in the whole window; lists and the tree have their own keys. */
export const shortcuts: readonly Shortcut[] = [
  {
    keys: '$mod+KeyK',
    shown: 'Ctrl+K',
    what: 'Find a session or a command',
    run: (scope) => scope.openDialog({ kind: 'palette' })
  },
  { keys: '$mod+KeyO', shown: 'Ctrl+O', what: 'Open a folder', run: (scope) => scope.openFolder() },
  { keys: '[Shift]+/', shown: '/', what: 'Filter sessions', run: (scope) => scope.focusFilter() },
  {
    keys: 'p',
    shown: 'P',
    what: 'Only this session’s project in the library, or all again',
    needs: 'session',
    run: (scope) => scope.toggleProject()
  },
  { keys: 'F6', shown: 'F6', what: 'Next pane', run: (scope) => scope.movePane(1) },
  { keys: 'Shift+F6', shown: 'Shift+F6', what: 'Previous pane', run: (scope) => scope.movePane(-1) },
  ...tabs.map((tab, index): Shortcut => ({
    keys: `${index + 1}`,
    shown: `${index + 1}`,
    what: tabNames[tab],
    needs: 'session',
    run: (scope) => scope.changeView({ tab })
  })),
  {
    keys: 'b',
    shown: 'B',
    what: 'Branch from the entry',
    needs: 'entry',
    run: atEntry((scope, session, entry) => scope.openDialog({ kind: 'branch', session, entry }))
  },
  {
    keys: 'l',
    shown: 'L',
    what: 'Label the selected entry',
    needs: 'entry',
    run: atEntry((scope, session, entry) => scope.openDialog({ kind: 'label', session, entry }))
  },
  {
    keys: 'e',
    shown: 'E',
    what: 'Export the path to the entry',
    needs: 'entry',
    run: atEntry((scope, session, entry) => scope.openDialog({ kind: 'export', session, entry }))
  },
  {
    keys: 'Shift+e',
    shown: 'Shift+E',
    what: 'Export the whole file',
    needs: 'session',
    run: (scope) => {
      if (scope.session !== null) scope.openDialog({ kind: 'export', session: scope.session, entry: null })
    }
  },
  {
    keys: 'd',
    shown: 'D',
    what: 'Keep the selected entry, to compare another’s context with it',
    run: atEntry((scope, _session, entry) => scope.changeView({ tab: 'context', compared: entry }))
  },
  {
    keys: 'c',
    shown: 'C',
    what: 'Copy the id of the entry',
    needs: 'entry',
    run: atEntry((_scope, _session, entry) => void navigator.clipboard.writeText(entry))
  },
  {
    keys: '$mod+Comma',
    shown: 'Ctrl+,',
    what: 'Settings',
    run: (scope) => scope.openDialog({ kind: 'settings' })
  },
  { keys: '[Shift]+?', shown: '?', what: 'Show the shortcuts', run: (scope) => scope.openDialog({ kind: 'shortcuts' }) }
]

/** Keys of the lists, for the dialog that shows them all. */
export const listKeys: readonly (readonly [keys: string, what: string])[] = [
  ['↑ ↓', 'Row by row'],
  ['Home End', 'First and last row'],
  ['→', 'Unfold, or enter'],
  ['←', 'Fold, or go to the parent'],
  ['Alt+↑ Alt+↓', 'Along the current path'],
  ['Alt+← Alt+→', 'Between siblings'],
  ['[ ]', 'Between branch points'],
  ['Enter', 'Open a session or a line’s entry; go on in a dialog'],
  ['A letter', 'Filter the sessions, in the library'],
  ['Shift+Enter', 'Only this project in the library'],
  ['Backspace', 'All projects in the library again'],
  ['Space', 'Show a whole line in Raw']
]
