import type { ReactNode } from 'react'
import type { SessionKey } from '#shared/model/keys.ts'
import { FaultText } from '#renderer/components/fault/FaultText.tsx'
import { FailureNotice } from '#renderer/components/notice/FailureNotice.tsx'
import { Notice } from '#renderer/components/notice/Notice.tsx'
import { ShownList } from '#renderer/components/shown/ShownList.tsx'
import { useFaults, useSessionFiles } from '#renderer/state/queries.ts'
import { useChangeView } from '#renderer/state/selection.ts'
import { shortPaths } from '#renderer/text/paths.ts'
import css from './FaultList.module.css'

interface FaultListProps {
  readonly session: SessionKey
  readonly onChoose: () => void
}

/** Every fault of a session; one with a line leads to it. */
export function FaultList({ session, onChoose }: FaultListProps): ReactNode {
  const faults = useFaults(session)
  const files = useSessionFiles(session)
  const changeView = useChangeView()
  const error = faults.error ?? files.error
  if (error !== null) return <FailureNotice error={error} />
  // Without the files a fault could not lead to its own.
  if (faults.data === undefined || files.data === undefined) return <Notice kind="busy" title="Reading the faults" />
  const paths = files.data.map(({ path }) => path)
  const names = shortPaths(paths)
  // The main file is the one that is meant where none is named.
  const nameOf = (path: string) => names[paths.indexOf(path, 1)] ?? null
  return (
    <ShownList items={faults.data} className={css.list}>
      {(fault, index) => (
        <li key={index}>
          {fault.line === null ? (
            <div className={css.fault}>
              <FaultText fault={fault} file={nameOf(fault.file)} />
            </div>
          ) : (
            <button
              type="button"
              className={css.fault}
              title={`Show line ${fault.line} in Raw`}
              onClick={() => {
                changeView({ tab: 'raw', file: Math.max(0, paths.indexOf(fault.file)), line: fault.line })
                onChoose()
              }}
            >
              <FaultText fault={fault} file={nameOf(fault.file)} />
            </button>
          )}
        </li>
      )}
    </ShownList>
  )
}
