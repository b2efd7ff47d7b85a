import type { ReactNode } from 'react'
import type { CompactionHead } from '#shared/contract/compaction.ts'
import type { SessionKey } from '#shared/model/keys.ts'
import { Button } from '#renderer/components/button/Button.tsx'
import { useApp } from '#renderer/state/store.ts'
import { shortEntryId } from '#renderer/text/entry-ids.ts'
import { formatCost, formatCount, formatShare, formatTokens, plural } from '#renderer/text/numbers.ts'
import css from './CompactionViews.module.css'

interface BalanceProps {
  readonly session: SessionKey
  readonly head: CompactionHead
}

/** What a compaction saved, what it cost, and what no summary stands for. */
export function Balance({ session, head }: BalanceProps): ReactNode {
  const openDialog = useApp((state) => state.openDialog)
  const { before, after, parent } = head
  const size = before.tokens - before.unsent
  const saved = size - (after.tokens - after.unsent)
  return (
    <section className={css.balance} aria-label="Balance">
      <h3>{saved < 0 ? 'Added' : 'Saved'}</h3>
      <p className={css.saved}>{formatTokens(Math.abs(saved))}</p>
      {size > 0 && <p>{formatShare(Math.abs(saved) / size)} of the prompt</p>}
      <h3>Paid for it</h3>
      <p>{paidText(head)}</p>
      <h3>Cache</h3>
      <p>{cacheText(head)}</p>
      <h3>Gone for good</h3>
      <p>{goneText(head)}</p>
      <Button
        look="primary"
        className={css.branch}
        disabled={parent === null}
        title={parent === null ? 'Nothing stands before this compaction' : 'A branch that ends before this compaction'}
        onClick={() => {
          if (parent !== null) openDialog({ kind: 'branch', session, entry: parent })
        }}
      >
        Branch from before this
      </Button>
    </section>
  )
}

/** Up to the first message that changed the provider can still read its cache; what it did read is told where it is recorded. */
function cacheText({ firstChange, next }: CompactionHead): string {
  const read = next?.usage.cacheRead ?? null
  const recorded = read === null ? '' : ` Recorded: the next request read ${formatTokens(read)} tokens.`
  return `${lostText(firstChange)}${recorded}`
}

function lostText(firstChange: CompactionHead['firstChange']): string {
  if (firstChange === null) return 'Nothing in front of it changed.'
  const { at, source, tokens } = firstChange
  if (at === 0) return `Lost from the first message on (entry ${shortEntryId(source)}).`
  return `Lost from message ${formatCount(at + 1)} on (entry ${shortEntryId(source)}). ${formatTokens(tokens)} tokens in front of it stay.`
}

function paidText({ next }: CompactionHead): string {
  if (next === null) return 'No request is recorded after it.'
  const { cacheWrite, cost, unknown } = next.usage
  if (unknown > 0) return 'What the next request used was not recorded.'
  const wrote =
    cacheWrite === null
      ? 'What the next request wrote to the cache was not recorded'
      : `The next request wrote ${formatTokens(cacheWrite)} tokens to the cache`
  return cost === null ? `${wrote}.` : `${wrote}; all of it cost ${formatCost(cost)}.`
}

function goneText({ before }: CompactionHead): string {
  const { dropped, summarised } = before.fates
  if (dropped > 0) {
    const [stand, are] = dropped === 1 ? ['stands', 'is'] : ['stand', 'are']
    return `${plural(dropped, 'message')} (${formatTokens(before.droppedTokens)}) ${stand} in no summarised range and ${are} not kept.`
  }
  return summarised > 0 ? 'Nothing: the summary stands for all that is gone.' : 'Nothing is gone.'
}
