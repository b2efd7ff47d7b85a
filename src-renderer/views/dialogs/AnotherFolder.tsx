import { type ReactNode, useState } from 'react'
import type { FolderKey } from '#shared/model/keys.ts'
import { Button } from '#renderer/components/button/Button.tsx'
import { FailureNotice } from '#renderer/components/notice/FailureNotice.tsx'
import { useAction } from '#renderer/state/actions.ts'
import { useAppInfo } from '#renderer/state/queries.ts'
import { FolderPicker } from './FolderPicker.tsx'

/** Asks for another folder to write into: by the system's dialog, else by the engine's picker. */
export function AnotherFolder({ onChoose }: { readonly onChoose: (folder: FolderKey) => void }): ReactNode {
  const native = useAppInfo().data?.nativeDialog === true
  const [isPicking, setPicking] = useState(false)
  const [folder, setFolder] = useState<FolderKey | null>(null)
  const dialog = useAction('folder.choose')
  const start = () => {
    if (native) dialog.mutate({}, { onSuccess: (chosen) => chosen !== null && onChoose(chosen.key) })
    else setPicking(true)
  }
  if (!isPicking) {
    return (
      <div>
        <Button onClick={start} disabled={dialog.isPending}>
          Choose another folder…
        </Button>
        {dialog.error !== null && <FailureNotice error={dialog.error} />}
      </div>
    )
  }
  return (
    <>
      <FolderPicker onChange={setFolder} />
      <Button
        disabled={folder === null}
        onClick={() => {
          setPicking(false)
          if (folder !== null) onChoose(folder)
        }}
      >
        Write into this folder
      </Button>
    </>
  )
}
