import type { ReactNode } from 'react'
import { useApp } from '#renderer/state/store.ts'
import { BranchDialog } from '#renderer/views/dialogs/BranchDialog.tsx'
import { ExportDialog } from '#renderer/views/dialogs/ExportDialog.tsx'
import { ForkDialog } from '#renderer/views/dialogs/ForkDialog.tsx'
import { FolderDialog } from '#renderer/views/dialogs/FolderDialog.tsx'
import { LinkDialog } from '#renderer/views/dialogs/LinkDialog.tsx'
import { LabelDialog } from '#renderer/views/dialogs/LabelDialog.tsx'
import { ProblemDialog } from '#renderer/views/dialogs/ProblemDialog.tsx'
import { SettingsDialog } from '#renderer/views/dialogs/SettingsDialog.tsx'
import { CommandPalette } from './CommandPalette.tsx'
import { ShortcutsDialog } from './ShortcutsDialog.tsx'

/** The dialog that is open, if one is. */
export function Dialogs(): ReactNode {
  const dialog = useApp((state) => state.dialog)
  if (dialog === null) return null
  switch (dialog.kind) {
    case 'branch':
      return <BranchDialog key={dialog.entry} session={dialog.session} entry={dialog.entry} />
    case 'fork':
      return <ForkDialog session={dialog.session} />
    case 'label':
      return <LabelDialog session={dialog.session} entry={dialog.entry} />
    case 'export':
      return <ExportDialog session={dialog.session} entry={dialog.entry} />
    case 'folder':
      return <FolderDialog dropped={dialog.dropped === true} />
    case 'link':
      return <LinkDialog address={dialog.address} />
    case 'shortcuts':
      return <ShortcutsDialog />
    case 'settings':
      return <SettingsDialog />
    case 'palette':
      return <CommandPalette />
    case 'problem':
      return <ProblemDialog error={dialog.error} />
  }
}
