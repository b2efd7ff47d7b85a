import type { ReactNode } from 'react'
import type { Requests } from '#shared/contract/usage.ts'
import type { SessionKey } from '#shared/model/keys.ts'
import { promptParts } from '#renderer/components/chart/chart-scale.ts'
import { RequestChart } from '#renderer/components/chart/RequestChart.tsx'
import { useCurrentLeaf } from '#renderer/state/selection.ts'
import { useRequests } from '#renderer/state/usage.ts'
import { useIsDrawn } from '#renderer/state/use-is-drawn.ts'
import css from './PromptStrip.module.css'
import { readText } from './UsageView.tsx'
import { useRequestChoice } from './use-request-choice.ts'

/** The prompt of each request of the current path, below its tree; nothing where no request recorded one. */
export function PromptStrip({ session }: { readonly session: SessionKey }): ReactNode {
  const leaf = useCurrentLeaf()
  const requests = useRequests(session, useIsDrawn(session) ? leaf : null).data
  const isKnown = requests?.total.some((total) => total !== null) === true
  return requests === undefined || !isKnown ? null : <Strip session={session} requests={requests} />
}

function Strip({ session, requests }: { readonly session: SessionKey; readonly requests: Requests }): ReactNode {
  const { selected, onSelect } = useRequestChoice(session, requests)
  return (
    <section className={css.strip} aria-label="Prompt per request">
      <div className={css.head}>
        <h3>Prompt per request</h3>
        <p>{readText(requests)}</p>
      </div>
      <RequestChart
        label="Prompt per request, a bar each; the tab Tokens and cache has them as a table"
        requests={requests}
        parts={promptParts}
        height={84}
        withScale={false}
        selected={selected}
        onSelect={onSelect}
      />
    </section>
  )
}
