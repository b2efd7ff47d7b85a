import { type ReactNode, useState } from 'react'
import type { EntryDetail } from '#shared/contract/entry.ts'
import { Refusal } from '#shared/contract/refusal.ts'
import type { FolderKey, SessionKey } from '#shared/model/keys.ts'
import { Button } from '#renderer/components/button/Button.tsx'
import { Modal } from '#renderer/components/modal/Modal.tsx'
import { FailureNotice } from '#renderer/components/notice/FailureNotice.tsx'
import { Notice } from '#renderer/components/notice/Notice.tsx'
import { useAction, useGoTo } from '#renderer/state/actions.ts'
import { useBranchPreview, useEntryDetail } from '#renderer/state/queries.ts'
import { useApp } from '#renderer/state/store.ts'
import { AnotherFolder } from './AnotherFolder.tsx'
import { BranchDone } from './BranchDone.tsx'
import { BranchPlan } from './BranchPlan.tsx'
import { Choice } from './Choice.tsx'
import { InPlaceChoices } from './InPlaceChoices.tsx'
import { NearestPoints } from './NearestPoints.tsx'
import css from './dialogs.module.css'

interface BranchDialogProps {
  readonly session: SessionKey
  readonly entry: string
}

type Position = 'before' | 'after'
type Mode = 'new-file' | 'in-place'

const ownPositions = [
  { value: 'before', label: 'Branch before this message', hint: 'Its text goes to the clipboard, to be sent changed.' },
  { value: 'after', label: 'Branch after this message', hint: 'The message stays; the agent answers it anew.' }
] as const

const modes = [
  { value: 'new-file', label: 'As a new session', hint: 'A new file with the path; this session stays as it is.' },
  {
    value: 'in-place',
    label: 'In this session',
    hint: 'One entry at the end of its file, from which the agent goes on.'
  }
] as const

/** Shows what a branch would be, writes it when asked to, and says what came of it. */
export function BranchDialog({ session, entry }: BranchDialogProps): ReactNode {
  const closeDialog = useApp((state) => state.closeDialog)
  const goTo = useGoTo()
  const detail = useEntryDetail(session, entry)
  const [chosen, choose] = useState<Position | null>(null)
  const [mode, setMode] = useState<Mode>('new-file')
  const [summary, setSummary] = useState('')
  // As it was when its field was left: the plan is not asked for at each letter.
  const [told, setTold] = useState('')
  const [isClosed, setClosed] = useState(false)
  const [into, setInto] = useState<FolderKey | null>(null)
  const own = detail.data?.own === true
  const position = chosen ?? (own && detail.data?.entry.parent !== null ? 'before' : 'after')
  const target = into === null || mode === 'in-place' ? {} : { into }
  const request = detail.data === undefined ? null : { session, mode, entry, position, ...target }
  const preview = useBranchPreview(request)
  const withSummary = useBranchPreview(
    request === null || mode !== 'in-place' || told === '' ? null : { ...request, summary: told }
  )
  const write = useAction('branch.write')
  const [copied, setCopied] = useState(false)

  const writeBranch = () =>
    write.mutate(
      {
        session,
        mode,
        entry,
        position,
        ...target,
        ...(mode === 'in-place' && summary.trim() !== '' ? { summary } : {})
      },
      {
        onSuccess: async (written) => {
          goTo(written.session, written.end === null ? {} : { entry: written.end })
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
  const isReady = preview.data !== undefined && !preview.isPlaceholderData && error === null && !write.isPending
  const change = (next: Mode) => {
    write.reset()
    setMode(next)
  }
  const another = mode === 'new-file' && (
    <AnotherFolder
      onChoose={(folder) => {
        write.reset()
        setInto(folder)
      }}
    />
  )
  return (
    <Modal
      title="Branch from here"
      onClose={closeDialog}
      actions={
        <Button look="primary" disabled={!isReady || (mode === 'in-place' && !isClosed)} onClick={writeBranch}>
          {write.isPending ? 'Writing' : 'Write the branch'}
        </Button>
      }
    >
      {own && <Choice label="Where the branch ends" options={ownPositions} value={position} onChange={choose} />}
      {detail.data?.branch.kind === 'allowed' && <ModeChoice detail={detail.data} mode={mode} onChange={change} />}
      {mode === 'in-place' && (
        <InPlaceChoices
          summary={summary}
          onSummary={setSummary}
          onSummaryDone={() => setTold(summary.trim())}
          isClosed={isClosed}
          onClosed={setClosed}
        />
      )}
      {error !== null ? (
        <FailureNotice error={error}>
          {error instanceof Refusal && <NearestPoints session={session} entries={error.nearest} />}
          {error instanceof Refusal && (error.code === 'stale' || error.code === 'read-only') && (
            <Button
              onClick={() => {
                write.reset()
                void preview.refetch()
              }}
            >
              Preview again
            </Button>
          )}
          {error instanceof Refusal && (error.code === 'read-only' || error.code === 'exists') && another}
        </FailureNotice>
      ) : preview.data === undefined ? (
        <Notice kind="busy" title="Reading what would be written" />
      ) : (
        <>
          <BranchPlan preview={withSummary.data ?? preview.data} />
          {another}
        </>
      )}
    </Modal>
  )
}

/** Where the branch is written; in the session's own file only where its entries can be named. */
function ModeChoice({
  detail,
  mode,
  onChange
}: {
  readonly detail: EntryDetail
  readonly mode: Mode
  readonly onChange: (mode: Mode) => void
}): ReactNode {
  const { branch: refusal } = detail.append
  if (refusal !== null) return <p className={css.note}>As a new session. In this session it cannot be: {refusal}</p>
  return <Choice label="Where it is written" options={modes} value={mode} onChange={onChange} />
}
