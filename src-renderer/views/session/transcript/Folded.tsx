import type { ReactNode } from 'react'
import css from './TranscriptItem.module.css'
import { useOpenPart } from './open-parts.ts'

interface FoldedProps {
  /** Names the part in its session. */
  readonly name: string
  readonly label: ReactNode
  readonly children: ReactNode
}

/** A part that shows what it is, and the rest when it is opened. */
export function Folded({ name, label, children }: FoldedProps): ReactNode {
  const [isOpen, toggle] = useOpenPart(name)
  return (
    <details className={css.folded} open={isOpen} onToggle={(event) => toggle(event.currentTarget.open)}>
      <summary>{label}</summary>
      {isOpen && <div className={css.unfolded}>{children}</div>}
    </details>
  )
}
