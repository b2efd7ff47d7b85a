import { type ReactNode, useState } from 'react'
import { Refusal } from '#shared/contract/refusal.ts'
import type { SessionKey } from '#shared/model/keys.ts'
import { Button } from '#renderer/components/button/Button.tsx'
import { Modal } from '#renderer/components/modal/Modal.tsx'
import { FailureNotice } from '#renderer/components/notice/FailureNotice.tsx'
import { Notice } from '#renderer/components/notice/Notice.tsx'
import { useAction, useGoTo } from '#renderer/state/actions.ts'
import { useBranchPreview, useEntryDetail } from '#renderer/state/queries.ts'
import { useApp } from '#renderer/state/store.ts'
import { BranchDone } from './BranchDone.tsx'
import { BranchPlan } from './BranchPlan.tsx'
import { Choice } from './Choice.tsx'
import { NearestPoints } from './NearestPoints.tsx'

interface BranchDialogProps {
  readonly session: SessionKey
  readonly entry: string
}

type Position = 'before' | 'after'

const ownPositions = [
  { value: 'before', label: 'Branch before this message', hint: 'Its text goes to the clipboard, to be sent changed.' },
  { value: 'after', label: 'Branch after this message', hint: 'The message stays; the agent answers it anew.' }
] as const

/** Shows what a branch would be, writes it when asked to, and says what came of it. */
export function BranchDialog({ session, entry }: BranchDialogProps): ReactNode {
  const closeDialog = useApp((state) => state.closeDialog)
  const goTo = useGoTo()
  const detail = useEntryDetail(session, entry)
  const [chosen, choose] = useState<Position | null>(null)
  const own = detail.data?.own === true
  const position = chosen ?? (own && detail.data?.entry.parent !== null ? 'before' : 'after')
  const preview = useBranchPreview(detail.data === undefined ? null : { session, entry, position })
  const write = useAction('branch.write')
  const [copied, setCopied] = useState(false)

  const writeBranch = () =>
    write.mutate(
      { session, entry, position },
      {
        onSuccess: async (written) => {
          goTo(written.session)
          const text = position === 'before' ? (preview.data?.ownText ?? null) : null
          if (text === null) return
          await navigator.clipboard.writeText(text).then(
            () => setCopied(true),
            () => setCopied(false)
          )
        }
      }
    )

  if (write.data !== undefined) {
    const ownText = position === 'before' ? (preview.data?.ownText ?? null) : null
    return <BranchDone source={session} done={write.data} ownText={ownText} copied={copied} />
  }
  const error = write.error ?? detail.error ?? preview.error
  return (
    <Modal
      title="Branch from here"
      onClose={closeDialog}
      actions={
        <Button
          look="primary"
          disabled={preview.data === undefined || preview.isPlaceholderData || error !== null || write.isPending}
          onClick={writeBranch}
        >
          {write.isPending ? 'Writing' : 'Write the branch'}
        </Button>
      }
    >
      {own && <Choice label="Where the branch ends" options={ownPositions} value={position} onChange={choose} />}
      {error !== null ? (
        <FailureNotice error={error}>
          {error instanceof Refusal && <NearestPoints session={session} entries={error.nearest} />}
          {error instanceof Refusal && error.code === 'stale' && (
            <Button
              onClick={() => {
                write.reset()
                void preview.refetch()
              }}
            >
              Preview again
            </Button>
          )}
        </FailureNotice>
      ) : preview.data === undefined ? (
        <Notice kind="busy" title="Reading what would be written" />
      ) : (
        <BranchPlan preview={preview.data} />
      )}
    </Modal>
  )
}
