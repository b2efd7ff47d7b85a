import { type KeyboardEvent, type ReactNode, useState } from 'react'
import { Button } from '#renderer/components/button/Button.tsx'
import { formatCount } from '#renderer/text/numbers.ts'

interface ShownListProps<T> {
  readonly items: readonly T[]
  readonly children: (item: T, index: number) => ReactNode
  readonly className?: string | undefined
}

const part = 100

/** A list of any length that draws a hundred at a time and says how many are left; the arrow keys move between the buttons with which its items begin. */
export function ShownList<T>({ items, children, className }: ShownListProps<T>): ReactNode {
  const [shown, show] = useState(part)
  const left = items.length - shown
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the buttons in it take the keys */}
      <ul className={className} onKeyDown={move}>
        {items.slice(0, shown).map(children)}
      </ul>
      {left > 0 && (
        <Button look="link" onClick={() => show(shown + part)}>
          Show {formatCount(Math.min(part, left))} more of {formatCount(left)}
        </Button>
      )}
    </>
  )
}

const steps: Readonly<Record<string, 1 | -1>> = { ArrowDown: 1, ArrowUp: -1 }

function move(event: KeyboardEvent<HTMLElement>): void {
  const step = steps[event.key]
  const here = event.target instanceof HTMLButtonElement ? event.target.closest('li') : null
  if (step === undefined || here?.parentElement !== event.currentTarget) return
  const next = step === 1 ? here.nextElementSibling : here.previousElementSibling
  event.preventDefault()
  next?.querySelector('button')?.focus()
}
