import { type ReactNode, useState } from 'react'
import type { FolderKey } from '#shared/model/keys.ts'
import { Button } from '#renderer/components/button/Button.tsx'
import { Modal } from '#renderer/components/modal/Modal.tsx'
import { FailureNotice } from '#renderer/components/notice/FailureNotice.tsx'
import { useAction } from '#renderer/state/actions.ts'
import { useApp } from '#renderer/state/store.ts'
import { FolderPicker } from './FolderPicker.tsx'

/** Opens a folder of the machine that Treeline runs on. */
export function FolderDialog({ dropped }: { readonly dropped: boolean }): ReactNode {
  const closeDialog = useApp((state) => state.closeDialog)
  const [folder, choose] = useState<FolderKey | null>(null)
  const open = useAction('folder.open')
  return (
    <Modal
      title="Open a folder of sessions"
      onClose={closeDialog}
      actions={
        <Button
          look="primary"
          disabled={folder === null || open.isPending}
          onClick={() => folder !== null && open.mutate({ folder }, { onSuccess: closeDialog })}
        >
          Open this folder
        </Button>
      }
    >
      {dropped && <p>A browser does not say where a dropped folder lies. Choose it here:</p>}
      <FolderPicker onChange={choose} />
      {open.error !== null && <FailureNotice error={open.error} />}
    </Modal>
  )
}
