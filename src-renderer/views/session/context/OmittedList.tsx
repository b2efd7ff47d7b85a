import { type ReactNode, useState } from 'react'
import type { SessionKey } from '#shared/model/keys.ts'
import { Button } from '#renderer/components/button/Button.tsx'
import { FailureNotice } from '#renderer/components/notice/FailureNotice.tsx'
import { type ContextHead, useOmitted } from '#renderer/state/context-queries.ts'
import { useGoTo } from '#renderer/state/actions.ts'
import { formatCount } from '#renderer/text/numbers.ts'
import css from './Context.module.css'

interface OmittedListProps {
  readonly session: SessionKey
  readonly entry: string
  readonly head: ContextHead
}

const aPage = 100

/** Which entries of the path are not in a context, and why. */
export function OmittedList({ session, entry, head }: OmittedListProps): ReactNode {
  const [from, setFrom] = useState(0)
  const goTo = useGoTo()
  const omitted = useOmitted(session, entry, from)
  const total = head.omitted.reduce((sum, { count }) => sum + count, 0)
  if (omitted.error !== null) return <FailureNotice error={omitted.error} />
  return (
    <div className={css.omitted}>
      <ul className={css.reasons}>
        {head.omitted.map(({ reason, count }) => (
          <li key={reason}>
            {formatCount(count)}: {reason}
          </li>
        ))}
      </ul>
      <ul>
        {omitted.data?.map((one) => (
          <li key={one.entry}>
            <button type="button" className={css.omittedEntry} onClick={() => goTo(session, { entry: one.entry })}>
              <code>{one.entry}</code> <span>{one.reason}</span>
            </button>
          </li>
        ))}
      </ul>
      {total > aPage && (
        <p className={css.pages}>
          <Button disabled={from === 0} onClick={() => setFrom(from - aPage)}>
            Earlier
          </Button>
          <span>
            {formatCount(from + 1)} to {formatCount(Math.min(total, from + aPage))} of {formatCount(total)}
          </span>
          <Button disabled={from + aPage >= total} onClick={() => setFrom(from + aPage)}>
            Later
          </Button>
        </p>
      )}
    </div>
  )
}
