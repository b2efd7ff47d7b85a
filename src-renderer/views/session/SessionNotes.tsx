import type { ReactNode } from 'react'
import type { SessionKey } from '#shared/model/keys.ts'
import { useOutline } from '#renderer/state/queries.ts'
import css from './SessionNotes.module.css'

/** What is to be known of the whole session before it is read. */
export function SessionNotes({ session }: { readonly session: SessionKey }): ReactNode {
  const notes = useOutline(session).data?.notes ?? []
  if (notes.length === 0) return null
  return (
    <ul className={css.notes} aria-label="About this session">
      {notes.map(({ tone, text, detail }) => (
        <li key={text} className={css.note} data-tone={tone}>
          {tone === 'warning' && <strong className={css.tone}>Warning</strong>}
          {detail === null ? (
            <span dir="auto">{text}</span>
          ) : (
            <details className={css.more}>
              <summary dir="auto" title={text}>
                {text}
              </summary>
              {/* A text that scrolls must be reachable by keyboard. */}
              {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
              <pre className={css.detail} dir="auto" tabIndex={0} aria-label={text}>
                {detail}
              </pre>
            </details>
          )}
        </li>
      ))}
    </ul>
  )
}
