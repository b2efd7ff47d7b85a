import type { ReactNode } from 'react'
import css from './Chips.module.css'

interface ChipsProps<Value extends string> {
  readonly label: string
  /** Tells these chips from others of the page. */
  readonly name: string
  readonly choices: readonly Chip<Value>[]
  readonly chosen: Value
  readonly onChoose: (value: Value) => void
}

interface Chip<Value> {
  readonly value: Value
  readonly label: string
  readonly title?: string
}

/** One of a few, each a word. */
export function Chips<Value extends string>(props: ChipsProps<Value>): ReactNode {
  const { label, name, choices, chosen, onChoose } = props
  return (
    <div className={css.chips} role="radiogroup" aria-label={label}>
      {choices.map((choice) => (
        <label key={choice.value} className={css.chip} title={choice.title}>
          <input
            type="radio"
            name={name}
            className={css.radio}
            checked={choice.value === chosen}
            onChange={() => onChoose(choice.value)}
          />
          {choice.label}
        </label>
      ))}
    </div>
  )
}
