import { Autocomplete } from '@base-ui/react/autocomplete'
import { Dialog } from '@base-ui/react/dialog'
import { type ReactNode, useMemo, useState } from 'react'
import { flushSync } from 'react-dom'
import { returnTarget } from '#renderer/components/modal/return-target.ts'
import { useReturnFocus } from '#renderer/components/modal/use-return-focus.ts'
import { useGoTo, useOpenOffer } from '#renderer/state/actions.ts'
import { useFolders, useSessions } from '#renderer/state/queries.ts'
import { useApp } from '#renderer/state/store.ts'
import hidden from '#renderer/styles/visually-hidden.module.css'
import { formatCount } from '#renderer/text/numbers.ts'
import css from './CommandPalette.module.css'
import { type PaletteGroup, paletteGroups, type PaletteRow } from './palette-rows.ts'
import { useShortcutScope } from './use-shortcuts.ts'

/** Finds sessions and commands as one types; the arrow keys choose, Enter goes there. */
export function CommandPalette(): ReactNode {
  useReturnFocus()
  const [typed, type] = useState('')
  const closeDialog = useApp((state) => state.closeDialog)
  const scope = useShortcutScope()
  const { session, entry } = scope
  const goTo = useGoTo()
  const openOffer = useOpenOffer()
  const sessions = useSessions().data
  const folders = useFolders().data
  const groups = useMemo(() => {
    const opened = new Set(folders?.opened.map(({ path }) => path))
    const offers = folders?.offered.filter(({ path }) => !opened.has(path)) ?? []
    return paletteGroups(typed, sessions ?? [], offers, { session, entry })
  }, [typed, sessions, folders, session, entry])

  const choose = ({ choice }: PaletteRow) => {
    // At once, so that the next key finds it done.
    flushSync(closeDialog)
    // After the focus is back where it was: a command may move it on, and what is opened takes it from a list.
    queueMicrotask(() => {
      if (choice.kind !== 'command') toList()
      if (choice.kind === 'session') goTo(choice.session.key)
      else if (choice.kind === 'command') choice.run(scope)
      else openOffer(choice.offer.key)
    })
  }

  return (
    <Dialog.Root open onOpenChange={(isOpen) => isOpen || closeDialog()}>
      <Dialog.Portal>
        <Dialog.Backdrop className={css.backdrop} />
        <Dialog.Popup className={css.popup} finalFocus={false}>
          <Dialog.Title className={hidden.hidden}>Sessions and commands</Dialog.Title>
          <Autocomplete.Root
            inline
            open
            mode="none"
            autoHighlight="always"
            items={groups}
            itemToStringValue={(row: PaletteRow) => row.title}
            value={typed}
            onValueChange={type}
          >
            <Autocomplete.Input
              // At once, and not a frame later: what is typed until then would be lost.
              ref={takeKeyboard}
              className={css.input}
              aria-label="Search sessions and commands"
              placeholder={`Search ${sessions === undefined ? '' : `${formatCount(sessions.length)} `}sessions and commands`}
              spellCheck={false}
            />
            <Autocomplete.Empty className={css.empty}>
              {groups.length === 0 && 'No session and no command has these words in its title or project.'}
            </Autocomplete.Empty>
            <Autocomplete.List className={css.list} aria-label="Found">
              {(group: PaletteGroup) => (
                <Autocomplete.Group key={group.label} items={group.items}>
                  <Autocomplete.GroupLabel className={css.group}>{group.label}</Autocomplete.GroupLabel>
                  <Autocomplete.Collection>
                    {(row: PaletteRow) => (
                      <Autocomplete.Item key={row.id} value={row} className={css.row} onClick={() => choose(row)}>
                        <span className={css.title}>{row.title}</span>
                        <RowEnd row={row} />
                      </Autocomplete.Item>
                    )}
                  </Autocomplete.Collection>
                </Autocomplete.Group>
              )}
            </Autocomplete.List>
          </Autocomplete.Root>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

const takeKeyboard = (input: HTMLElement | null) => input?.focus()

function toList(): void {
  const list = returnTarget(null)
  if (list !== null) list.focus()
  else if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
}

function RowEnd({ row }: { readonly row: PaletteRow }): ReactNode {
  if (row.choice.kind === 'command') return <kbd className={css.keys}>{row.more}</kbd>
  return (
    <span className={css.more} title={row.choice.kind === 'session' ? row.choice.session.file : undefined}>
      {row.more}
    </span>
  )
}
