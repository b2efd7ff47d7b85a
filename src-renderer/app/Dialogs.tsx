import type { ReactNode } from 'react'
import { useApp } from '#renderer/state/store.ts'
import { BranchDialog } from '#renderer/views/dialogs/BranchDialog.tsx'
import { ExportDialog } from '#renderer/views/dialogs/ExportDialog.tsx'
import { FolderDialog } from '#renderer/views/dialogs/FolderDialog.tsx'
import { ProblemDialog } from '#renderer/views/dialogs/ProblemDialog.tsx'
import { ShortcutsDialog } from './ShortcutsDialog.tsx'

/** The dialog that is open, if one is. */
export function Dialogs(): ReactNode {
  const dialog = useApp((state) => state.dialog)
  if (dialog === null) return null
  switch (dialog.kind) {
    case 'branch':
      return <BranchDialog key={dialog.entry} session={dialog.session} entry={dialog.entry} />
    case 'export':
      return <ExportDialog session={dialog.session} entry={dialog.entry} />
    case 'folder':
      return <FolderDialog />
    case 'shortcuts':
      return <ShortcutsDialog />
    case 'problem':
      return <ProblemDialog error={dialog.error} />
  }
}
