import { type ReactNode, useId, useState } from 'react'
import type { SessionKey } from '#shared/model/keys.ts'
import { Button } from '#renderer/components/button/Button.tsx'
import { Modal } from '#renderer/components/modal/Modal.tsx'
import { FailureNotice } from '#renderer/components/notice/FailureNotice.tsx'
import { Notice } from '#renderer/components/notice/Notice.tsx'
import { useAction } from '#renderer/state/actions.ts'
import { useEntryDetail } from '#renderer/state/queries.ts'
import { useApp } from '#renderer/state/store.ts'
import css from './dialogs.module.css'

interface LabelDialogProps {
  readonly session: SessionKey
  readonly entry: string
}

/** Labels an entry, or clears its label: one entry at the end of the session's own file. */
export function LabelDialog({ session, entry }: LabelDialogProps): ReactNode {
  const closeDialog = useApp((state) => state.closeDialog)
  const detail = useEntryDetail(session, entry)
  const form = useId()
  const field = useId()
  const [typed, setTyped] = useState<string | null>(null)
  const save = useAction('entry.label')
  const label = detail.data?.entry.label ?? null
  const text = typed ?? label ?? ''
  const refusal = detail.data?.append.label ?? null
  const write = (written: string) =>
    save.mutate({ session, entry, label: written, dryRun: false }, { onSuccess: closeDialog })
  const error = save.error ?? detail.error
  return (
    <Modal
      title="Label this entry"
      onClose={closeDialog}
      actions={
        <>
          {label !== null && (
            <Button disabled={save.isPending} onClick={() => write('')}>
              Clear the label
            </Button>
          )}
          <Button
            look="primary"
            type="submit"
            form={form}
            disabled={text.trim() === '' || text === label || refusal !== null || save.isPending}
          >
            Save
          </Button>
        </>
      }
    >
      {refusal !== null ? (
        <Notice title="This entry cannot be labelled">{refusal}</Notice>
      ) : (
        <form
          id={form}
          className={css.section}
          onSubmit={(event) => {
            event.preventDefault()
            write(text)
          }}
        >
          <label htmlFor={field}>Label</label>
          <input
            id={field}
            className={css.input}
            value={text}
            autoComplete="off"
            onChange={(event) => {
              save.reset()
              setTyped(event.target.value)
            }}
          />
          <p className={css.note}>
            It is appended to the session’s own file, so close the agent first. Nothing that is in the file changes.
          </p>
        </form>
      )}
      {error !== null && <FailureNotice error={error} />}
    </Modal>
  )
}
