import type { ReactNode } from 'react'
import type { FateRow } from '#shared/contract/compaction.ts'
import { speakerOfMessage } from '#renderer/text/fates.ts'
import { formatTokens } from '#renderer/text/numbers.ts'
import hiddenCss from '#renderer/styles/visually-hidden.module.css'
import css from './FateList.module.css'

/** The cells of a message's row: what became of it, who speaks, what about, how much it is. */
export function FateRowView({ row }: { readonly row: FateRow | undefined }): ReactNode {
  if (row === undefined) return <span role="gridcell" aria-label="loading" className={css.waiting} />
  return (
    <>
      <span role="gridcell" className={hiddenCss.hidden}>
        {row.fate}
      </span>
      <span role="gridcell" className={css.who}>
        {speakerOfMessage(row).name}
      </span>
      <span role="gridcell" className={css.text} title={row.summary} dir="auto">
        {row.sent === false && <em className={css.unsent}>not sent </em>}
        {row.summary}
      </span>
      <span role="gridcell" className={css.tokens}>
        {formatTokens(row.tokens)}
      </span>
    </>
  )
}
