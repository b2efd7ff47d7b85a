import type { ReactNode } from 'react'
import { Button } from '#renderer/components/button/Button.tsx'
import { CopyButton } from '#renderer/components/copy-button/CopyButton.tsx'
import { Modal } from '#renderer/components/modal/Modal.tsx'
import { useApp } from '#renderer/state/store.ts'
import { mayOpen } from '#renderer/text/addresses.ts'
import css from './dialogs.module.css'

/** Where a link in a session's text leads; only a secure page can be opened, and only from here. */
export function LinkDialog({ address }: { readonly address: string }): ReactNode {
  const closeDialog = useApp((state) => state.closeDialog)
  const open = () => {
    window.open(address, '_blank', 'noopener,noreferrer')
    closeDialog()
  }
  const canOpen = mayOpen(address)
  return (
    <Modal
      title="A link in the session’s text"
      closeLabel="Close"
      onClose={closeDialog}
      actions={
        <>
          <CopyButton text={address}>Copy address</CopyButton>
          {canOpen && <Button onClick={open}>Open outside</Button>}
        </>
      }
    >
      <p className={css.address}>{address}</p>
      <p>
        {canOpen
          ? 'This text was written by a program or by somebody else. Open it only if you trust where it leads.'
          : 'Treeline opens secure web pages only (https). This address can be copied.'}
      </p>
    </Modal>
  )
}
