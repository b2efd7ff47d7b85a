import { Dialog } from '@base-ui/react/dialog'
import { type ReactNode, useState } from 'react'
import { Button } from '#renderer/components/button/Button.tsx'
import { returnTarget } from './return-target.ts'
import css from './Modal.module.css'

interface ModalProps {
  readonly title: string
  readonly onClose: () => void
  readonly children: ReactNode
  /** Buttons at the foot, the one that goes on last. */
  readonly actions?: ReactNode
  readonly closeLabel?: string
}

/** A dialog over the window: takes the focus, gives it back, closes with Escape. */
export function Modal({ title, onClose, children, actions, closeLabel = 'Cancel' }: ModalProps): ReactNode {
  const [before] = useState(() => document.activeElement)
  return (
    <Dialog.Root open onOpenChange={(open) => open || onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className={css.backdrop} />
        <Dialog.Popup className={css.popup} finalFocus={() => returnTarget(before)}>
          <Dialog.Title className={css.title}>{title}</Dialog.Title>
          <div className={css.body}>{children}</div>
          <footer className={css.actions}>
            <Dialog.Close render={<Button>{closeLabel}</Button>} />
            {actions}
          </footer>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
