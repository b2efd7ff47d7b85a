import { type ReactNode, useState } from 'react'
import { Button } from '#renderer/components/button/Button.tsx'
import { formatCount } from '#renderer/text/numbers.ts'

interface ShownListProps<T> {
  readonly items: readonly T[]
  readonly children: (item: T, index: number) => ReactNode
  readonly className?: string | undefined
}

const part = 100

/** A list of any length that draws a hundred at a time and says how many are left. */
export function ShownList<T>({ items, children, className }: ShownListProps<T>): ReactNode {
  const [shown, show] = useState(part)
  const left = items.length - shown
  return (
    <>
      <ul className={className}>{items.slice(0, shown).map(children)}</ul>
      {left > 0 && (
        <Button look="link" onClick={() => show(shown + part)}>
          Show {formatCount(Math.min(part, left))} more of {formatCount(left)}
        </Button>
      )}
    </>
  )
}
