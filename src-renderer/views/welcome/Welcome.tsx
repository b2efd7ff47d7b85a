import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { Button } from '#renderer/components/button/Button.tsx'
import { returnTarget } from '#renderer/components/modal/return-target.ts'
import { FailureNotice } from '#renderer/components/notice/FailureNotice.tsx'
import { Notice } from '#renderer/components/notice/Notice.tsx'
import { useAction, useOpenFolder } from '#renderer/state/actions.ts'
import type { Output } from '#renderer/state/client.ts'
import { useFolders, useSessions } from '#renderer/state/queries.ts'
import { plural } from '#renderer/text/numbers.ts'
import css from './Welcome.module.css'

/** What the middle shows while no session is selected: what there is to open, or what was looked for in vain. */
export function Welcome(): ReactNode {
  const folders = useFolders()
  const sessions = useSessions()
  if (folders.error !== null) return <FailureNotice error={folders.error} />
  if (folders.data === undefined || sessions.data === undefined) return <Notice kind="busy" title="Asking the engine" />
  if (sessions.data.length > 0) {
    return (
      <Notice title="No session is selected">
        <p>Choose one in the library on the left.</p>
      </Notice>
    )
  }
  return <Places folders={folders.data} />
}

type Folders = Output<'folder.list'>

/** Gives the keyboard to the library where it goes away with the focus in it. */
function Places({ folders: { opened, offered } }: { readonly folders: Folders }): ReactNode {
  const own = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const element = own.current
    return () => {
      if (element?.contains(document.activeElement) === true) requestAnimationFrame(() => returnTarget(null)?.focus())
    }
  }, [])
  return (
    <div className={css.welcome} ref={own}>
      {opened.length === 0 ? (
        <h2 className={css.title}>Open a folder of session files</h2>
      ) : (
        opened.map((folder) => <FolderWithout key={folder.key} folder={folder} />)
      )}
      <Offers offers={offered} />
    </div>
  )
}

function FolderWithout({ folder }: { readonly folder: Folders['opened'][number] }): ReactNode {
  if (folder.state === 'reading') {
    return <Notice kind="busy" title={`Reading: ${plural(folder.files, 'file')} looked at`} file={folder.path} />
  }
  if (folder.state === 'gone') {
    return (
      <Notice kind="error" title="The folder is gone" file={folder.path}>
        <p>It was moved, renamed or removed. Open it where it is now.</p>
      </Notice>
    )
  }
  return (
    <Notice title="No sessions in this folder" file={folder.path}>
      <p>{plural(folder.files, 'file')} looked at. Looked for:</p>
      <ul className={css.lookedFor}>
        {folder.lookedFor.map((what) => (
          <li key={what}>{what}</li>
        ))}
      </ul>
      {folder.faults.map((fault, index) => (
        <p key={index} className={css.fault}>
          {fault.message}
        </p>
      ))}
    </Notice>
  )
}

function Offers({ offers }: { readonly offers: Folders['offered'] }): ReactNode {
  const openFolder = useOpenFolder()
  const open = useAction('folder.open')
  return (
    <div className={css.offers}>
      <Button look="primary" title="Open a folder (Ctrl+O)" onClick={openFolder}>
        Open a folder…
      </Button>
      {offers.length > 0 && (
        <>
          <h2 className={css.known}>Places on this machine</h2>
          <ul className={css.list}>
            {offers.map(({ key, label, path }) => (
              <li key={key}>
                <button
                  type="button"
                  className={css.offer}
                  disabled={open.isPending}
                  onClick={() => open.mutate({ folder: key })}
                >
                  <span className={css.label}>{label}</span>
                  <code className={css.path}>{path}</code>
                </button>
              </li>
            ))}
          </ul>
          <p className={css.note}>None of them is read before you choose it.</p>
        </>
      )}
      {open.error !== null && <FailureNotice error={open.error} />}
    </div>
  )
}
