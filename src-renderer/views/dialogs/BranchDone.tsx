import type { ReactNode } from 'react'
import type { SessionKey } from '#shared/model/keys.ts'
import { CopyButton } from '#renderer/components/copy-button/CopyButton.tsx'
import { Modal } from '#renderer/components/modal/Modal.tsx'
import type { Output } from '#renderer/state/client.ts'
import { useApp } from '#renderer/state/store.ts'
import { plural } from '#renderer/text/numbers.ts'
import { Table } from './Table.tsx'
import { WrittenActions } from './WrittenActions.tsx'
import css from './dialogs.module.css'

interface BranchDoneProps {
  /** Session that the branch comes from. */
  readonly source: SessionKey
  readonly done: Output<'branch.write'>
  /** The person's message that the branch ends before, to be sent changed. */
  readonly ownText: string | null
  readonly copied: boolean
}

export function BranchDone({ source, done, ownText, copied }: BranchDoneProps): ReactNode {
  const closeDialog = useApp((state) => state.closeDialog)
  const selectSession = useApp((state) => state.selectSession)
  const { result, written } = done
  const isSame = result.source.sha256Before === result.source.sha256After
  const before = result.mode === 'in-place' ? 'Old bytes' : 'Source'
  return (
    <Modal
      title={result.mode === 'fork' ? 'The fork is written' : 'The branch is written'}
      closeLabel="Done"
      onClose={closeDialog}
      actions={<CopyButton text={result.resume}>Copy resume command</CopyButton>}
    >
      <Table
        rows={[
          ['Resume with', result.resume],
          ...(result.unverified === undefined ? [] : [['Unverified', result.unverified] as const]),
          ['File', result.file],
          [result.mode === 'in-place' ? 'Appended' : 'Holds', plural(result.entries, 'entry', 'entries')],
          [before, isSame ? 'unchanged' : 'changed meanwhile'],
          [`${before} sha256`, result.source.sha256After]
        ]}
      />
      {ownText !== null && (
        <section className={css.section}>
          <h3>
            {copied ? 'Your message is on the clipboard, to be sent changed' : 'Your message, to be sent changed'}
          </h3>
          <pre className={css.lines} tabIndex={0}>
            {ownText}
          </pre>
          {!copied && <CopyButton text={ownText}>Copy the message</CopyButton>}
        </section>
      )}
      {written !== null && (
        <WrittenActions written={written} path={result.file} onTrashed={() => selectSession(source)} />
      )}
    </Modal>
  )
}
