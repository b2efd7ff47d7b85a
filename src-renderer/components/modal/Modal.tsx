import { Dialog } from '@base-ui/react/dialog'
import type { KeyboardEvent, ReactNode } from 'react'
import { Button } from '#renderer/components/button/Button.tsx'
import { useReturnFocus } from './use-return-focus.ts'
import css from './Modal.module.css'

interface ModalProps {
  readonly title: string
  readonly onClose: () => void
  readonly children: ReactNode
  /** Buttons at the foot, the one that goes on last and `primary`. */
  readonly actions?: ReactNode
  readonly closeLabel?: string
}

const primary = 'footer > [data-look="primary"]'

/** A dialog over the window: takes the focus, gives it back, closes with Escape. Enter goes on, from what is filled in or where there is nothing to fill in. */
export function Modal({ title, onClose, children, actions, closeLabel = 'Cancel' }: ModalProps): ReactNode {
  useReturnFocus()
  return (
    <Dialog.Root open onOpenChange={(open) => open || onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className={css.backdrop} />
        <Dialog.Popup ref={begin} className={css.popup} finalFocus={false} onKeyDown={goOn}>
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

/** What Tab would come to first: of a choice by radio buttons the one that is chosen. */
const first = ':is(input:not([type="radio"]), input:checked, select, textarea, button, [tabindex="0"]):not(:disabled)'

/** Takes the keyboard at once. By itself a dialog does so a frame later, and what is pressed until then is lost. */
function begin(popup: HTMLElement | null): void {
  if (popup === null || popup.contains(document.activeElement)) return
  const goesOn = popup.querySelector(primary) !== null && popup.querySelector('input') === null
  const target = goesOn ? popup : (popup.querySelector<HTMLElement>(first) ?? popup)
  target.focus({ preventScroll: true })
}

function goOn(event: KeyboardEvent<HTMLElement>): void {
  const { target, currentTarget, nativeEvent } = event
  if (event.key !== 'Enter' || event.defaultPrevented || event.repeat || nativeEvent.isComposing) return
  // A form goes on by itself, a button by its own press.
  const isChoice = target instanceof HTMLInputElement && target.form === null
  if (!isChoice && target !== currentTarget) return
  event.preventDefault()
  currentTarget.querySelector<HTMLElement>(primary)?.click()
}
