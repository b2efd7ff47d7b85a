import { Popover } from '@base-ui/react/popover'
import { type ReactNode, useRef } from 'react'
import { Button } from '#renderer/components/button/Button.tsx'
import css from './Floating.module.css'

interface FloatingProps {
  readonly label: ReactNode
  readonly title: string
  readonly hint?: string
  readonly className?: string | undefined
  readonly open: boolean
  readonly onOpenChange: (open: boolean) => void
  /** Asked as it closes; false where the keyboard goes elsewhere than back to the button. */
  readonly onClosed?: () => boolean
  /** Whether the keyboard begins at what is current in it, and not at what is first. */
  readonly startsAtCurrent?: boolean
  readonly children: ReactNode
}

/** A button that opens a layer beside itself; it closes with Escape or a click elsewhere. */
export function Floating(props: FloatingProps): ReactNode {
  const { label, title, hint, className, open, onOpenChange, onClosed, startsAtCurrent, children } = props
  const popup = useRef<HTMLDivElement>(null)
  const current = () => popup.current?.querySelector<HTMLElement>('[aria-current="true"]') ?? null
  return (
    <Popover.Root open={open} onOpenChange={onOpenChange}>
      <Popover.Trigger render={<Button look="quiet" className={className} title={hint} />}>{label}</Popover.Trigger>
      <Popover.Portal>
        <Popover.Positioner className={css.positioner} sideOffset={4} align="start" collisionPadding={8}>
          <Popover.Popup
            ref={popup}
            className={css.popup}
            initialFocus={startsAtCurrent === true ? current : undefined}
            finalFocus={onClosed}
          >
            <Popover.Title className={css.title}>{title}</Popover.Title>
            <div className={css.body}>{children}</div>
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  )
}
