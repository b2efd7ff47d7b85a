import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { Chips } from '#renderer/components/chips/Chips.tsx'
import type { Output } from '#renderer/state/client.ts'
import { formatCount } from '#renderer/text/numbers.ts'
import { formatClock, formatTime } from '#renderer/text/times.ts'
import css from './CompactionChips.module.css'

interface CompactionChipsProps {
  readonly compactions: Output<'compaction.list'>
  readonly chosen: string
  readonly onChoose: (compaction: string) => void
}

/** The compactions of a path in one line; the chosen one stays in view, whichever is chosen and however wide the line. */
export function CompactionChips({ compactions, chosen, onChoose }: CompactionChipsProps): ReactNode {
  const place = compactions.findIndex(({ entry }) => entry === chosen)
  const line = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const element = line.current
    if (element === null) return
    const chip = element.querySelectorAll('label')[place]
    const observer = new ResizeObserver(() => chip?.scrollIntoView({ block: 'nearest', inline: 'nearest' }))
    observer.observe(element)
    return () => observer.disconnect()
  }, [place])
  return (
    <div ref={line} className={css.line}>
      <Chips
        label="Compaction"
        name="compaction"
        choices={compactions.map(({ entry, time }, index) => ({
          value: entry,
          label: time === null ? formatCount(index + 1) : `${formatCount(index + 1)} · ${formatClock(time)}`,
          title: time === null ? 'Its time is unknown' : formatTime(time)
        }))}
        chosen={chosen}
        onChoose={onChoose}
      />
    </div>
  )
}
