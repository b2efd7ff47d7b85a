import { type ReactNode, useState } from 'react'
import { Refusal } from '#shared/contract/refusal.ts'
import type { FolderKey, SessionKey } from '#shared/model/keys.ts'
import { Button } from '#renderer/components/button/Button.tsx'
import { Modal } from '#renderer/components/modal/Modal.tsx'
import { FailureNotice } from '#renderer/components/notice/FailureNotice.tsx'
import { Notice } from '#renderer/components/notice/Notice.tsx'
import { useAction, useGoTo } from '#renderer/state/actions.ts'
import { useBranchPreview } from '#renderer/state/queries.ts'
import { useApp } from '#renderer/state/store.ts'
import { AnotherFolder } from './AnotherFolder.tsx'
import { BranchDone } from './BranchDone.tsx'
import { BranchPlan } from './BranchPlan.tsx'

/** Shows what a fork of the whole tree would be, writes it when asked to, and says what came of it. */
export function ForkDialog({ session }: { readonly session: SessionKey }): ReactNode {
  const closeDialog = useApp((state) => state.closeDialog)
  const goTo = useGoTo()
  const [into, setInto] = useState<FolderKey | null>(null)
  const request = { session, mode: 'fork', ...(into === null ? {} : { into }) } as const
  const preview = useBranchPreview(request)
  const write = useAction('branch.write')
  if (write.data !== undefined) return <BranchDone source={session} done={write.data} ownText={null} copied={false} />
  const error = write.error ?? preview.error
  const another = (
    <AnotherFolder
      onChoose={(folder) => {
        write.reset()
        setInto(folder)
      }}
    />
  )
  return (
    <Modal
      title="Fork the whole session"
      onClose={closeDialog}
      actions={
        <Button
          look="primary"
          disabled={preview.data === undefined || preview.isPlaceholderData || error !== null || write.isPending}
          onClick={() => write.mutate(request, { onSuccess: (written) => goTo(written.session) })}
        >
          {write.isPending ? 'Writing' : 'Write the fork'}
        </Button>
      }
    >
      {error !== null ? (
        <FailureNotice error={error}>
          {error instanceof Refusal && (error.code === 'read-only' || error.code === 'exists') && another}
        </FailureNotice>
      ) : preview.data === undefined ? (
        <Notice kind="busy" title="Reading what would be written" />
      ) : (
        <>
          <BranchPlan preview={preview.data} />
          {another}
        </>
      )}
    </Modal>
  )
}
