import type { ReactNode } from 'react'
import { useFolders, useSession, useSessions } from '#renderer/state/queries.ts'
import { useSelectedSession } from '#renderer/state/selection.ts'
import { formatCost, formatTokens, plural } from '#renderer/text/numbers.ts'
import css from './Footer.module.css'

export function Footer(): ReactNode {
  const sessions = useSessions().data
  const folders = useFolders().data?.opened ?? []
  const usage = useSession(useSelectedSession()).data?.usage
  const reading = folders.some((folder) => folder.state === 'reading')
  return (
    <footer className={css.footer}>
      {sessions !== undefined && <span>{plural(sessions.length, 'session')} indexed</span>}
      {folders.length > 0 && (
        <span>
          {reading ? 'reading' : 'watching'} {plural(folders.length, 'folder')}
        </span>
      )}
      {usage !== undefined && (
        <span className={css.usage} title="As recorded in the selected session">
          {formatTokens(usage.total)} tokens · {formatCost(usage.cost)} this session
          {usage.inherited > 0 && ` · ${formatTokens(usage.inherited)} of its parent`}
        </span>
      )}
    </footer>
  )
}
