import type { ReactNode } from 'react'
import type { CompactionHead } from '#shared/contract/compaction.ts'
import { fates } from '#shared/model/compaction.ts'
import { fateMeanings } from '#renderer/text/fates.ts'
import { formatCount } from '#renderer/text/numbers.ts'
import css from './CompactionViews.module.css'

/** How many messages met which fate. */
export function Legend({ head: { before, after } }: { readonly head: CompactionHead }): ReactNode {
  const counted = fates.map((fate) => [fate, (fate === 'added' ? after : before).fates[fate]] as const)
  return (
    <ul className={css.fates} aria-label="What became of the messages">
      {counted.map(
        ([fate, count]) =>
          count > 0 && (
            <li key={fate} data-fate={fate} title={fateMeanings[fate]}>
              {fate} {formatCount(count)}
            </li>
          )
      )}
    </ul>
  )
}
