import type { ReactNode } from 'react'
import { useFolders, useSession, useSessions } from '#renderer/state/queries.ts'
import { useSelectedSession } from '#renderer/state/selection.ts'
import { formatCost, formatTokens, plural } from '#renderer/text/numbers.ts'
import css from './Footer.module.css'

export function Footer(): ReactNode {
  const sessions = useSessions().data
  const folders = useFolders().data?.opened ?? []
  const session = useSession(useSelectedSession())
  const usage = session.error === null ? session.data?.usage : undefined
  const reading = folders.some((folder) => folder.state === 'reading')
  const gone = folders.filter((folder) => folder.state === 'gone').length
  return (
    <footer className={css.footer}>
      {sessions !== undefined && <span>{plural(sessions.length, 'session')} indexed</span>}
      {folders.length > gone && (
        <span>
          {reading ? 'reading' : 'watching'} {plural(folders.length - gone, 'folder')}
        </span>
      )}
      {gone > 0 && <span>{plural(gone, 'folder')} gone</span>}
      {usage !== undefined && (
        <span className={css.usage} title="As recorded in the selected session">
          {formatTokens(usage.total)} tokens ·{' '}
          {usage.cost === null ? 'cost unknown' : `${formatCost(usage.cost)} this session`}
          {usage.inherited > 0 && ` · ${formatTokens(usage.inherited)} of its parent`}
        </span>
      )}
    </footer>
  )
}
