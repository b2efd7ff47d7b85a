import { type ReactNode, useState } from 'react'
import type { FolderKey, SessionKey } from '#shared/model/keys.ts'
import { Button } from '#renderer/components/button/Button.tsx'
import { Modal } from '#renderer/components/modal/Modal.tsx'
import { FailureNotice } from '#renderer/components/notice/FailureNotice.tsx'
import { Notice } from '#renderer/components/notice/Notice.tsx'
import { useAction } from '#renderer/state/actions.ts'
import type { Output } from '#renderer/state/client.ts'
import { useAppInfo, useExportPreview } from '#renderer/state/queries.ts'
import { useApp } from '#renderer/state/store.ts'
import { formatBytes, plural } from '#renderer/text/numbers.ts'
import { Choice } from './Choice.tsx'
import { ExportDone } from './ExportDone.tsx'
import { FolderPicker } from './FolderPicker.tsx'
import { Table } from './Table.tsx'
import css from './dialogs.module.css'

interface ExportDialogProps {
  readonly session: SessionKey
  /** End of the path that is offered; null offers the whole file alone. */
  readonly entry: string | null
}

/** Asks what to export and where to, and says what came of it. */
export function ExportDialog({ session, entry }: ExportDialogProps): ReactNode {
  const closeDialog = useApp((state) => state.closeDialog)
  const [what, chooseWhat] = useState<'path' | 'file'>(entry === null ? 'file' : 'path')
  const [target, chooseTarget] = useState<'download' | 'folder'>('download')
  const [folder, chooseFolder] = useState<FolderKey | null>(null)
  const [typed, type] = useState<string | null>(null)
  const native = useAppInfo().data?.nativeDialog === true
  const part = what === 'path' && entry !== null ? { session, entry } : { session }
  const preview = useExportPreview(part)
  const write = useAction('export.write')
  const dialog = useAction('export.dialog')
  const name = typed ?? preview.data?.name ?? ''

  const done = write.data ?? dialog.data ?? null
  if (done !== null) return <ExportDone done={done} download={write.data?.download ?? null} name={name} />

  const error = write.error ?? dialog.error ?? preview.error
  const busy = write.isPending || dialog.isPending
  const start = () => {
    if (native) dialog.mutate({ ...part, name })
    else write.mutate({ ...part, name, into: target === 'folder' ? folder : null })
  }
  const forget = () => {
    write.reset()
    dialog.reset()
  }
  return (
    <Modal
      title="Export as JSONL"
      onClose={closeDialog}
      actions={
        <Button
          look="primary"
          disabled={busy || preview.data === undefined || name === '' || (target === 'folder' && folder === null)}
          onClick={start}
        >
          {busy ? 'Writing' : native ? 'Save as…' : target === 'folder' ? 'Export into this folder' : 'Download'}
        </Button>
      }
    >
      {entry !== null && (
        <Choice
          label="What"
          options={[
            { value: 'path', label: 'This path', hint: `From the root to entry ${entry}, every line as it is.` },
            { value: 'file', label: 'The whole file', hint: 'Every byte of it.' }
          ]}
          value={what}
          onChange={(chosen) => {
            chooseWhat(chosen)
            type(null)
            forget()
          }}
        />
      )}
      {preview.data === undefined ? (
        preview.error === null && <Notice kind="busy" title="Reading what would be exported" />
      ) : (
        <>
          <Table
            rows={[
              ['Size', formatBytes(preview.data.bytes)],
              ['Entries', plural(preview.data.entries, 'entry', 'entries')],
              ['Likely secrets', <Secrets key="secrets" secrets={preview.data.secrets} />]
            ]}
          />
          <label className={css.field}>
            <span>File name</span>
            <input
              className={css.input}
              value={name}
              spellCheck={false}
              onChange={(event) => {
                type(event.target.value)
                forget()
              }}
            />
          </label>
        </>
      )}
      {!native && (
        <Choice
          label="Where to"
          options={[
            { value: 'download', label: 'Download', hint: 'Into the browser’s folder for downloads.' },
            { value: 'folder', label: 'A folder on the machine that Treeline runs on' }
          ]}
          value={target}
          onChange={(chosen) => {
            chooseTarget(chosen)
            forget()
          }}
        />
      )}
      {!native && target === 'folder' && <FolderPicker onChange={chooseFolder} />}
      {error !== null && <FailureNotice error={error} />}
    </Modal>
  )
}

function Secrets({ secrets }: { readonly secrets: Output<'export.preview'>['secrets'] }): ReactNode {
  if (secrets.length === 0) return 'none found'
  return (
    <span className={css.warning}>
      {secrets.map(({ kind, count }) => `${kind}: ${count}`).join(', ')}. They stay in the export as they are.
    </span>
  )
}
