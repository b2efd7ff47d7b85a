import { type ReactNode, useState } from 'react'
import type { ExportAs } from '#shared/contract/export.ts'
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
  /** End of the path that is offered; null offers no other than the default. */
  readonly entry: string | null
}

const forms = [
  { value: 'jsonl', label: 'JSONL', hint: 'The lines of the file as they are, byte for byte.' },
  { value: 'markdown', label: 'Markdown', hint: 'The path as text to read.' },
  { value: 'html', label: 'HTML', hint: 'The path as one page to read, without scripts, that loads nothing.' },
  { value: 'normalized', label: 'Normalized JSONL', hint: 'An entry a line, in the same shape for every agent.' }
] as const satisfies readonly { readonly value: ExportAs; readonly label: string; readonly hint: string }[]

/** Asks what to export and where to, and says what came of it. */
export function ExportDialog({ session, entry }: ExportDialogProps): ReactNode {
  const closeDialog = useApp((state) => state.closeDialog)
  const [as, chooseForm] = useState<ExportAs>('jsonl')
  const [redact, chooseRedact] = useState(false)
  const [what, chooseWhat] = useState<'path' | 'file'>(entry === null ? 'file' : 'path')
  const [target, chooseTarget] = useState<'download' | 'folder'>('download')
  const [folder, chooseFolder] = useState<FolderKey | null>(null)
  const [typed, type] = useState<string | null>(null)
  const native = useAppInfo().data?.nativeDialog === true
  const part = { session, as, redact, ...(what === 'path' && entry !== null ? { entry } : {}) }
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
  const changed = () => {
    type(null)
    forget()
  }
  return (
    <Modal
      title="Export"
      onClose={closeDialog}
      actions={
        <Button
          look="primary"
          disabled={
            busy ||
            preview.data === undefined ||
            preview.isPlaceholderData ||
            name === '' ||
            (target === 'folder' && folder === null)
          }
          onClick={start}
        >
          {busy ? 'Writing' : native ? 'Save as…' : target === 'folder' ? 'Export into this folder' : 'Download'}
        </Button>
      }
    >
      <Choice
        label="Form"
        options={forms}
        value={as}
        onChange={(chosen) => {
          chooseForm(chosen)
          changed()
        }}
      />
      {entry !== null && (
        <Choice
          label="What"
          options={[
            {
              value: 'path',
              label: 'This path',
              hint: `From the root to entry ${entry}${as === 'jsonl' ? ': the lines of the file that it stands in.' : '.'}`
            },
            { value: 'file', ...wholeOf[as] }
          ]}
          value={what}
          onChange={(chosen) => {
            chooseWhat(chosen)
            changed()
          }}
        />
      )}
      <Choice
        label="Likely secrets"
        options={[
          { value: 'keep', label: 'Leave them in' },
          {
            value: 'redact',
            label: 'Redact likely secrets',
            hint: `Each becomes “[redacted: …]”. ${as === 'jsonl' ? 'No agent can resume such a copy. ' : ''}What does not look like a secret stays.`
          }
        ]}
        value={redact ? 'redact' : 'keep'}
        onChange={(chosen) => {
          chooseRedact(chosen === 'redact')
          changed()
        }}
      />
      {preview.data === undefined ? (
        preview.error === null && <Notice kind="busy" title="Reading what would be exported" />
      ) : (
        <>
          <Table
            rows={[
              ['Size', formatBytes(preview.data.bytes)],
              ['Entries', entriesText(preview.data)],
              ['Likely secrets', <Secrets key="secrets" secrets={preview.data.secrets} redact={redact} />]
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

const toDefaultLeaf = { label: 'The default path', hint: 'From the root to the leaf that the agent goes on from.' }
const wholeOf = {
  jsonl: { label: 'The whole file', hint: 'Every byte of it.' },
  normalized: { label: 'The whole file', hint: 'Every entry of it.' },
  markdown: toDefaultLeaf,
  html: toDefaultLeaf
} as const satisfies Record<ExportAs, { readonly label: string; readonly hint: string }>

const entriesText = ({ entries, entry }: Output<'export.preview'>) =>
  `${plural(entries, 'entry', 'entries')}${entry === null ? '' : `, the path to ${entry}`}`

interface SecretsProps {
  readonly secrets: Output<'export.preview'>['secrets']
  readonly redact: boolean
}

function Secrets({ secrets, redact }: SecretsProps): ReactNode {
  if (secrets.length === 0) return 'none found'
  const found = secrets.map(({ kind, count }) => `${kind}: ${count}`).join(', ')
  return redact ? (
    `${found}. Each is replaced.`
  ) : (
    <span className={css.warning}>{found}. They stay in the export as they are.</span>
  )
}
