import { Tabs } from '@base-ui/react/tabs'
import { clsx } from 'clsx'
import { type ReactNode, useRef, useState } from 'react'
import type { SessionKey } from '#shared/model/keys.ts'
import type { SessionRow } from '#shared/model/session.ts'
import { Button } from '#renderer/components/button/Button.tsx'
import { CopyButton } from '#renderer/components/copy-button/CopyButton.tsx'
import { deferred } from '#renderer/components/deferred/deferred.tsx'
import { Floating } from '#renderer/components/floating/Floating.tsx'
import { giveBack } from '#renderer/components/modal/return-target.ts'
import { FailureNotice } from '#renderer/components/notice/FailureNotice.tsx'
import { Notice } from '#renderer/components/notice/Notice.tsx'
import { useAppInfo, useOutline, useSession } from '#renderer/state/queries.ts'
import { useIsDrawn } from '#renderer/state/use-is-drawn.ts'
import { useCompactions } from '#renderer/state/compactions.ts'
import { useAction } from '#renderer/state/actions.ts'
import { type Tab, tabNames, tabs } from '#renderer/state/selection-slice.ts'
import { useChangeView, useCurrentLeaf, useSelectEntry, useView } from '#renderer/state/selection.ts'
import { useApp } from '#renderer/state/store.ts'
import view from '#renderer/styles/view.module.css'
import { agentNames } from '#renderer/text/agents.ts'
import { formatBytes, formatCount, plural } from '#renderer/text/numbers.ts'
import { titleOf } from '#renderer/text/sessions.ts'
import { FaultList } from './FaultList.tsx'
import { LeafList } from './LeafList.tsx'
import css from './SessionView.module.css'
import { SessionNotes } from './SessionNotes.tsx'
import { SessionTree } from './tree/SessionTree.tsx'
import { useSessionFocus } from './use-session-focus.ts'

const PromptStrip = deferred(async () => (await import('./usage/PromptStrip.tsx')).PromptStrip, null)
const Transcript = deferred(async () => (await import('./transcript/Transcript.tsx')).Transcript)
const ContextView = deferred(async () => (await import('./context/ContextView.tsx')).ContextView)
const CompactionViews = deferred(async () => (await import('./compactions/CompactionViews.tsx')).CompactionViews)
const UsageView = deferred(async () => (await import('./usage/UsageView.tsx')).UsageView)
const RawLines = deferred(async () => (await import('./raw/RawLines.tsx')).RawLines)

const panels: Readonly<Record<Tab, (session: SessionKey) => ReactNode>> = {
  tree: (session) => (
    <div className={view.view}>
      <SessionTree />
      <PromptStrip session={session} />
    </div>
  ),
  transcript: (session) => <Transcript session={session} />,
  context: (session) => <ContextView session={session} />,
  compactions: (session) => <CompactionViews session={session} />,
  usage: (session) => <UsageView session={session} />,
  raw: (session) => <RawLines session={session} />
}

/** One session: what it is, its tree and its lines. */
export function SessionView({ session }: { readonly session: SessionKey }): ReactNode {
  const { tab } = useView()
  const own = useSessionFocus(tab)
  return (
    <div ref={own} className={css.own} data-session={session} tabIndex={-1}>
      <SessionParts session={session} tab={tab} />
    </div>
  )
}

function SessionParts({ session, tab }: { readonly session: SessionKey; readonly tab: Tab }): ReactNode {
  const row = useSession(session)
  const changeView = useChangeView()
  if (row.error !== null) return <FailureNotice error={row.error} file={row.data?.file} />
  if (row.data === undefined) return <Notice kind="busy" title="Reading the session" />
  return (
    <Tabs.Root
      className={clsx(view.view, css.view)}
      value={tab}
      onValueChange={(chosen: Tab) => changeView({ tab: chosen })}
    >
      <SessionHead session={row.data} />
      <SessionNotes session={session} />
      <div className={css.bar}>
        <Tabs.List className={css.tabs} aria-label="Views of the session" activateOnFocus>
          {tabs.map((name, index) => (
            <Tabs.Tab key={name} className={css.tab} value={name} title={`${tabNames[name]} (${index + 1})`}>
              {tabNames[name]}
              {name === 'compactions' && <CompactionCount session={session} />}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <SessionActions session={row.data} />
      </div>
      {tabs.map((name) => (
        <Tabs.Panel key={name} data-view={name} className={css.panel} value={name} tabIndex={-1}>
          {panels[name](session)}
        </Tabs.Panel>
      ))}
    </Tabs.Root>
  )
}

/** How many compactions are on the current path, where there are any. */
function CompactionCount({ session }: { readonly session: SessionKey }): ReactNode {
  const leaf = useCurrentLeaf()
  const count = useCompactions(session, useIsDrawn(session) ? leaf : null).data?.length ?? 0
  return count > 0 && ` ${formatCount(count)}`
}

function SessionHead({ session }: { readonly session: SessionRow }): ReactNode {
  return (
    <header className={css.head}>
      <h2 className={css.title} title={titleOf(session)} dir="auto">
        {titleOf(session)}
      </h2>
      <span className={css.facts} title={session.file}>
        {agentNames[session.agent]} · {plural(session.entries, 'entry', 'entries')} · {formatBytes(session.bytes)}
        {session.models.length > 0 && ` · ${session.models.join(', ')}`}
        {session.reading === true && ' · reading the session…'}
      </span>
    </header>
  )
}

function SessionActions({ session }: { readonly session: SessionRow }): ReactNode {
  const openDialog = useApp((state) => state.openDialog)
  const canFork = useOutline(session.key).data?.canFork === true
  const selectEntry = useSelectEntry()
  const changeView = useChangeView()
  const [open, setOpen] = useState<'leaves' | 'faults' | null>(null)
  const isChosen = useRef(false)
  const floating = (name: 'leaves' | 'faults') => ({
    open: open === name,
    onOpenChange: (isOpen: boolean) => setOpen(isOpen ? name : null),
    onClosed: () => {
      const goesBack = !isChosen.current
      isChosen.current = false
      // The keyboard was in a layer that is gone; the person may have taken it elsewhere by then.
      if (!goesBack) requestAnimationFrame(() => giveBack(null))
      return goesBack
    }
  })
  const choose = () => {
    isChosen.current = true
    setOpen(null)
  }
  return (
    <div className={css.actions}>
      {session.faults > 0 && (
        <Floating
          label={plural(session.faults, 'fault')}
          title="Faults"
          className={css.faults}
          hint="What is wrong where"
          {...floating('faults')}
        >
          <FaultList session={session.key} onChoose={choose} />
        </Floating>
      )}
      {session.leaves > 0 && (
        <Floating
          label={plural(session.leaves, 'leaf', 'leaves')}
          title="Leaves"
          hint="Every end of the tree; choosing one makes its path the current one"
          startsAtCurrent
          {...floating('leaves')}
        >
          <LeafList
            session={session.key}
            onLeaf={(leaf) => {
              selectEntry(leaf)
              choose()
            }}
            onCompare={(leaf) => {
              changeView({ tab: 'context', compared: leaf })
              choose()
            }}
          />
        </Floating>
      )}
      <FilePlace session={session} />
      {canFork && (
        <Button
          look="quiet"
          title="Write a new session with the whole tree"
          onClick={() => openDialog({ kind: 'fork', session: session.key })}
        >
          Fork
        </Button>
      )}
      <Button
        look="quiet"
        title="Export the whole file (Shift+E)"
        onClick={() => openDialog({ kind: 'export', session: session.key, entry: null })}
      >
        Export
      </Button>
    </div>
  )
}

/** Shows where the file is, or, where the shell cannot, gives its path. */
function FilePlace({ session }: { readonly session: SessionRow }): ReactNode {
  const canReveal = useAppInfo().data?.reveal === true
  const reveal = useAction('session.reveal')
  const openDialog = useApp((state) => state.openDialog)
  if (!canReveal) {
    return (
      <CopyButton look="quiet" text={session.file} title={session.file}>
        Copy path
      </CopyButton>
    )
  }
  const show = () =>
    reveal.mutate({ session: session.key }, { onError: (error) => openDialog({ kind: 'problem', error }) })
  return (
    <Button look="quiet" title={session.file} onClick={show}>
      Reveal
    </Button>
  )
}
