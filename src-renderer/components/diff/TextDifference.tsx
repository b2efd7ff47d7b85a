import type { ReactNode } from 'react'
import type { TextDiff } from '#shared/contract/context.ts'
import css from './TextDifference.module.css'

const marks = { same: ' ', removed: '-', added: '+' } as const

interface TextDifferenceProps {
  readonly difference: TextDiff
  /** What stands on one side only, in words. */
  readonly removed: string
  readonly added: string
}

/** How one text became another, line by line. */
export function TextDifference({ difference, removed, added }: TextDifferenceProps): ReactNode {
  if (difference.kind === 'too-different') {
    return <p className={css.caption}>The texts differ too much to be compared line by line.</p>
  }
  const words = { same: undefined, removed, added }
  return (
    <>
      <pre className={css.diff} tabIndex={0} role="group" aria-label="Difference">
        {difference.parts.map(({ change, text }, index) => (
          <span key={index} data-change={change} title={words[change]}>
            {marked(text, marks[change])}
          </span>
        ))}
      </pre>
      {difference.isCut && <p className={css.caption}>The rest of the difference is left out.</p>}
    </>
  )
}

/** Each line with its mark in front. */
function marked(text: string, mark: string): string {
  const lines = (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n')
  return lines.map((line) => `${mark} ${line}\n`).join('')
}
