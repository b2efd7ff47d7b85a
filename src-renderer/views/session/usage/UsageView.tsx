import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import type { Requests } from '#shared/contract/usage.ts'
import type { SessionKey } from '#shared/model/keys.ts'
import { hitRate } from '#shared/model/usage.ts'
import { allParts } from '#renderer/components/chart/chart-scale.ts'
import { RequestChart } from '#renderer/components/chart/RequestChart.tsx'
import { FailureNotice } from '#renderer/components/notice/FailureNotice.tsx'
import { Notice } from '#renderer/components/notice/Notice.tsx'
import { useOutline } from '#renderer/state/queries.ts'
import { useCurrentLeaf } from '#renderer/state/selection.ts'
import { useRequests } from '#renderer/state/usage.ts'
import view from '#renderer/styles/view.module.css'
import { formatCount, formatShare, plural } from '#renderer/text/numbers.ts'
import { nothingToShow } from '#renderer/text/tree-rows.ts'
import { partNames } from '#renderer/text/usage.ts'
import { RequestTable, wholePath } from './RequestTable.tsx'
import css from './UsageView.module.css'
import { useRequestChoice } from './use-request-choice.ts'

/** What the requests of the current path took: a chart, and the same numbers as a table. */
export function UsageView({ session }: { readonly session: SessionKey }): ReactNode {
  const outline = useOutline(session).data
  const leaf = useCurrentLeaf()
  const requests = useRequests(session, leaf)
  if (outline !== undefined && leaf === null) return <Notice title={nothingToShow(outline.ids.length)} />
  if (requests.error !== null) return <FailureNotice error={requests.error} />
  if (requests.data === undefined) return <Notice kind="busy" title="Reading the requests" />
  if (requests.data.at.length === 0) return <Notice title="No request on the current path" />
  return <Figures session={session} requests={requests.data} />
}

function Figures({ session, requests }: { readonly session: SessionKey; readonly requests: Requests }): ReactNode {
  const outline = useOutline(session).data
  const { selected, onSelect } = useRequestChoice(session, requests)
  const isWindowKnown = requests.windows.some((window) => window !== null)
  return (
    <div className={view.view}>
      <div className={clsx(view.bar, css.bar)}>
        <ul className={css.legend} aria-label="What the bars are made of">
          {allParts.map((part) => (
            <li key={part} data-part={part}>
              {partNames[part]}
            </li>
          ))}
        </ul>
        <p role="status">
          {countText(requests)} · {readText(requests)}
          {!isWindowKnown && ' · window of the model unknown'}
        </p>
      </div>
      <div className={css.chart}>
        <RequestChart
          label="Tokens per request"
          requests={requests}
          parts={allParts}
          height={150}
          withScale
          selected={selected}
          onSelect={onSelect}
        />
      </div>
      {outline !== undefined && (
        <RequestTable session={session} outline={outline} requests={requests} selected={selected} onSelect={onSelect} />
      )}
    </div>
  )
}

/** "3 requests on the current path, 1 beside the conversation": as the table below sums them. */
function countText(requests: Requests): string {
  const beside = requests.totals.beside.requests
  const path = `${plural(wholePath(requests).requests, 'request')} on the current path`
  return beside === 0 ? path : `${path}, ${formatCount(beside)} beside the conversation`
}

/** "64 % read from cache". */
export function readText(requests: Requests): string {
  const rate = hitRate(wholePath(requests))
  return rate === null ? 'cache use unknown' : `${formatShare(rate)} read from cache`
}
