import { type ReactNode, useState } from 'react'
import { Button } from '#renderer/components/button/Button.tsx'
import { Floating } from '#renderer/components/floating/Floating.tsx'
import { useOpenFolder } from '#renderer/state/actions.ts'
import { useFolders, useSession } from '#renderer/state/queries.ts'
import { useSelectedSession } from '#renderer/state/selection.ts'
import { useApp } from '#renderer/state/store.ts'
import { plural } from '#renderer/text/numbers.ts'
import { FolderList } from './FolderList.tsx'
import css from './Header.module.css'

export function Header(): ReactNode {
  const opened = useFolders().data?.opened ?? []
  const folder = useSession(useSelectedSession()).data?.folder
  const openFolder = useOpenFolder()
  const openDialog = useApp((state) => state.openDialog)
  const [open, setOpen] = useState(false)
  const shown = opened.find(({ key }) => key === folder) ?? opened[0]
  const faults = opened.reduce((sum, one) => sum + one.faults.length, 0)
  return (
    <header className={css.header}>
      <h1 className={css.name}>Treeline</h1>
      {shown !== undefined && (
        <Floating
          title="Open folders"
          hint="The open folders"
          className={css.folder}
          label={
            <>
              <span className={css.path}>{shown.path}</span>
              {opened.length > 1 && <span className={css.more}>and {opened.length - 1} more</span>}
              {faults > 0 && <span className={css.faults}>{plural(faults, 'fault')}</span>}
            </>
          }
          open={open}
          onOpenChange={setOpen}
        >
          <FolderList folders={opened} />
        </Floating>
      )}
      <div className={css.actions}>
        <button
          type="button"
          className={css.search}
          aria-keyshortcuts="Control+K"
          onClick={() => openDialog({ kind: 'palette' })}
        >
          Search sessions <kbd className={css.keys}>Ctrl K</kbd>
        </button>
        <Button title="Open a folder (Ctrl+O)" onClick={openFolder}>
          Open folder…
        </Button>
        <Button look="quiet" title="Show the shortcuts (?)" onClick={() => openDialog({ kind: 'shortcuts' })}>
          Keys
        </Button>
        <Button look="quiet" title="Settings (Ctrl+,)" onClick={() => openDialog({ kind: 'settings' })}>
          Settings
        </Button>
      </div>
    </header>
  )
}
