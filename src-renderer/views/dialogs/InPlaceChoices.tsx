import { type ReactNode, useId } from 'react'
import css from './dialogs.module.css'

interface InPlaceChoicesProps {
  readonly summary: string
  readonly onSummary: (summary: string) => void
  readonly onSummaryDone: () => void
  /** The person says that no agent has the session open. */
  readonly isClosed: boolean
  readonly onClosed: (isClosed: boolean) => void
}

/** What is asked before anything is appended to a session's own file. */
export function InPlaceChoices(props: InPlaceChoicesProps): ReactNode {
  const { summary, onSummary, onSummaryDone, isClosed, onClosed } = props
  const id = useId()
  return (
    <div className={css.section}>
      <label htmlFor={id}>
        What the agent is told of the branch that it leaves (optional)
        <span className={css.hint}>It comes before your next message.</span>
      </label>
      <textarea
        id={id}
        className={css.text}
        rows={3}
        value={summary}
        onChange={(event) => onSummary(event.target.value)}
        onBlur={onSummaryDone}
      />
      <label className={css.option}>
        <input type="checkbox" checked={isClosed} onChange={(event) => onClosed(event.target.checked)} />
        <span>
          No agent has this session open
          <span className={css.hint}>One that has would go on from where it was, and write over the branch.</span>
        </span>
      </label>
    </div>
  )
}
