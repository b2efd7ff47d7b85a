import clsx from 'clsx'
import type { ComponentProps, ReactNode } from 'react'
import css from './Button.module.css'

interface ButtonProps extends ComponentProps<'button'> {
  /** `primary` is the one thing that a place is for; `refused` says why it cannot be; `link` reads as text. */
  readonly look?: 'primary' | 'plain' | 'refused' | 'quiet' | 'link' | 'danger'
}

export function Button({ look = 'plain', className, ...rest }: ButtonProps): ReactNode {
  return <button type="button" data-look={look} className={clsx(css.button, css[look], className)} {...rest} />
}
