import type { ReactNode } from 'react'
import type { Folder } from '#shared/contract/folder.ts'
import type { FolderKey } from '#shared/model/keys.ts'
import { Button } from '#renderer/components/button/Button.tsx'
import { useAction } from '#renderer/state/actions.ts'
import { useSession } from '#renderer/state/queries.ts'
import { useSelectedSession } from '#renderer/state/selection.ts'
import { useApp } from '#renderer/state/store.ts'
import { failureOf } from '#renderer/text/failures.ts'
import { plural } from '#renderer/text/numbers.ts'
import css from './FolderList.module.css'

const states = { reading: 'reading, ', ready: '', gone: 'gone, ' } as const

/** The open folders, each with what was found in it and a way to close it. */
export function FolderList({ folders }: { readonly folders: readonly Folder[] }): ReactNode {
  const close = useAction('folder.close')
  const shown = useSession(useSelectedSession()).data?.folder
  const selectSession = useApp((state) => state.selectSession)
  const closeFolder = (folder: FolderKey) =>
    close.mutate({ folder }, { onSuccess: () => (shown === folder ? selectSession(null) : undefined) })
  return (
    <ul className={css.list}>
      {folders.map((folder) => (
        <li key={folder.key} className={css.folder}>
          <code className={css.path}>{folder.path}</code>
          <Button
            aria-label={`Close ${folder.path}`}
            disabled={close.isPending}
            onClick={() => closeFolder(folder.key)}
          >
            Close
          </Button>
          <span className={css.counts}>
            {states[folder.state]}
            {plural(folder.sessions, 'session')} in {plural(folder.files, 'file')}
          </span>
          {folder.faults.map((fault, index) => (
            <span key={index} className={css.fault}>
              {fault.message}
            </span>
          ))}
        </li>
      ))}
      {close.error !== null && (
        <li className={css.fault} role="alert">
          {failureOf(close.error).message}
        </li>
      )}
    </ul>
  )
}
