import type { ReactNode } from 'react'
import { Modal } from '#renderer/components/modal/Modal.tsx'
import { FailureNotice } from '#renderer/components/notice/FailureNotice.tsx'
import { useApp } from '#renderer/state/store.ts'

export function ProblemDialog({ error }: { readonly error: Error }): ReactNode {
  const closeDialog = useApp((state) => state.closeDialog)
  return (
    <Modal title="That did not work" closeLabel="Close" onClose={closeDialog}>
      <FailureNotice error={error} />
    </Modal>
  )
}
