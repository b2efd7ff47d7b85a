import type { ReactNode } from 'react'
import type { WrittenKey } from '#shared/model/keys.ts'
import { Button } from '#renderer/components/button/Button.tsx'
import { CopyButton } from '#renderer/components/copy-button/CopyButton.tsx'
import { FailureNotice } from '#renderer/components/notice/FailureNotice.tsx'
import { useAction } from '#renderer/state/actions.ts'
import { useAppInfo } from '#renderer/state/queries.ts'
import { useApp } from '#renderer/state/store.ts'
import css from './dialogs.module.css'

interface WrittenActionsProps {
  readonly written: WrittenKey
  readonly path: string
  readonly onTrashed?: () => void
}

/** What can be done with a file that was just written. */
export function WrittenActions({ written, path, onTrashed }: WrittenActionsProps): ReactNode {
  const closeDialog = useApp((state) => state.closeDialog)
  const canReveal = useAppInfo().data?.reveal === true
  const reveal = useAction('written.reveal')
  const trash = useAction('written.trash')
  const error = trash.error ?? reveal.error
  const moveToTrash = () =>
    trash.mutate(
      { written },
      {
        onSuccess: () => {
          onTrashed?.()
          closeDialog()
        }
      }
    )
  return (
    <div className={css.section}>
      <div className={css.buttons}>
        {canReveal ? (
          <Button onClick={() => reveal.mutate({ written })}>Reveal in folder</Button>
        ) : (
          <CopyButton text={path}>Copy path</CopyButton>
        )}
        <Button look="danger" disabled={trash.isPending} onClick={moveToTrash}>
          Move to trash
        </Button>
      </div>
      {error !== null && <FailureNotice error={error} />}
    </div>
  )
}
