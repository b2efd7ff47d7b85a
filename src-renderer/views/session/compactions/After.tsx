import { type ReactNode, useMemo } from 'react'
import type { CompactionHead } from '#shared/contract/compaction.ts'
import type { SessionKey } from '#shared/model/keys.ts'
import { LongText } from '#renderer/components/long-text/LongText.tsx'
import { useShowLink } from '#renderer/state/actions.ts'
import { useFates } from '#renderer/state/compactions.ts'
import { useRestOfText } from '#renderer/state/queries.ts'
import { speakerOfMessage } from '#renderer/text/fates.ts'
import { formatTokens } from '#renderer/text/numbers.ts'
import listCss from './FateList.module.css'
import css from './CompactionViews.module.css'
import { FateList } from './FateList.tsx'
import { Rewritten } from './Rewritten.tsx'

interface AfterProps {
  readonly session: SessionKey
  readonly head: CompactionHead
}

const firstPlaces = [0]

/** The context after a compaction: what comes before its summary, the summary, and the rest. */
export function After({ session, head }: AfterProps): ReactNode {
  const { entry, after } = head
  const first = useFates(session, entry, 'after', firstPlaces)
  const at =
    [...first.values()].find(({ kind, source }) => kind === 'compaction-summary' && source === entry)?.index ?? -1
  const rest = useMemo(
    () => Array.from({ length: Math.max(0, after.messages - at - 1) }, (_, place) => at + 1 + place),
    [after.messages, at]
  )
  return (
    <>
      {at > 0 && (
        <ul aria-label="Before the summary">
          {[...first.values()].slice(0, at).map((row) => (
            <li key={row.index} className={listCss.row} data-fate={row.fate}>
              <span className={listCss.who}>{speakerOfMessage(row).name}</span>
              <span className={listCss.text} dir="auto">
                {row.summary}
              </span>
              <span className={listCss.tokens}>{formatTokens(row.tokens)}</span>
            </li>
          ))}
        </ul>
      )}
      {head.summary !== null && <Summary session={session} head={head} tokens={first.get(at)?.tokens ?? null} />}
      {head.rewritten.length > 0 && <Rewritten session={session} head={head} />}
      {rest.length > 0 && (
        <FateList session={session} compaction={entry} side="after" label="Messages after" places={rest} />
      )}
    </>
  )
}

function Summary({ session, head, tokens }: AfterProps & { readonly tokens: number | null }): ReactNode {
  const { entry, summary, summaryLength } = head
  const showLink = useShowLink()
  const whole = useRestOfText('compaction.summary', { session, entry }, summary ?? '', summaryLength)
  return (
    <section className={css.summary} aria-label="Summary" tabIndex={0}>
      <h4>Summary{tokens !== null && ` · ${formatTokens(tokens)} tokens`}</h4>
      <LongText whole={whole} length={summaryLength} look="markdown" label="Summary" onLink={showLink} />
    </section>
  )
}
