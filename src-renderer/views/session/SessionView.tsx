import { Tabs } from '@base-ui/react/tabs'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { SessionKey } from '#shared/model/keys.ts'
import type { SessionRow } from '#shared/model/session.ts'
import { Button } from '#renderer/components/button/Button.tsx'
import { CopyButton } from '#renderer/components/copy-button/CopyButton.tsx'
import { Floating } from '#renderer/components/floating/Floating.tsx'
import { FailureNotice } from '#renderer/components/notice/FailureNotice.tsx'
import { Notice } from '#renderer/components/notice/Notice.tsx'
import { useAppInfo, useOutline, useSession } from '#renderer/state/queries.ts'
import { useAction } from '#renderer/state/actions.ts'
import type { Tab } from '#renderer/state/selection-slice.ts'
import { useChangeView, useView } from '#renderer/state/selection.ts'
import { useApp } from '#renderer/state/store.ts'
import { formatBytes, plural } from '#renderer/text/numbers.ts'
import { titleOf } from '#renderer/text/sessions.ts'
import { FaultList } from './FaultList.tsx'
import { LeafList } from './LeafList.tsx'
import css from './SessionView.module.css'
import { RawLines } from './raw/RawLines.tsx'
import { SessionTree } from './tree/SessionTree.tsx'

/** One session: what it is, its tree and its lines. */
export function SessionView({ session }: { readonly session: SessionKey }): ReactNode {
  const row = useSession(session)
  const { tab } = useView()
  const changeView = useChangeView()
  const view = useRef<HTMLDivElement>(null)
  const isReady = useOutline(session).data !== undefined
  useEffect(() => {
    if (!isReady) return
    // A panel is in the document one frame after its tab was chosen.
    const frame = requestAnimationFrame(() => takeFocus(view.current, tab))
    return () => cancelAnimationFrame(frame)
  }, [isReady, tab])
  if (row.error !== null) return <FailureNotice error={row.error} file={row.data?.file} />
  if (row.data === undefined) return <Notice kind="busy" title="Reading the session" />
  return (
    <Tabs.Root ref={view} className={css.view} value={tab} onValueChange={(chosen: Tab) => changeView({ tab: chosen })}>
      <SessionHead session={row.data} />
      <div className={css.bar}>
        <Tabs.List className={css.tabs} aria-label="Views of the session" activateOnFocus>
          <Tabs.Tab className={css.tab} value="tree" title="Tree (1)">
            Tree
          </Tabs.Tab>
          <Tabs.Tab className={css.tab} value="raw" title="Raw (2)">
            Raw
          </Tabs.Tab>
        </Tabs.List>
        <SessionActions session={row.data} />
      </div>
      <Tabs.Panel className={css.panel} value="tree" tabIndex={-1}>
        <SessionTree />
      </Tabs.Panel>
      <Tabs.Panel className={css.panel} value="raw" tabIndex={-1}>
        <RawLines session={session} />
      </Tabs.Panel>
    </Tabs.Root>
  )
}

/** The session or view that was just chosen takes the keyboard, unless the person is at something else. */
function takeFocus(view: HTMLElement | null, tab: Tab): void {
  const here = document.activeElement
  const isFree = here === document.body || here?.getAttribute('role') === 'tree'
  if (isFree) view?.querySelector<HTMLElement>(tab === 'tree' ? '[role="tree"]' : '[role="grid"]')?.focus()
}

function SessionHead({ session }: { readonly session: SessionRow }): ReactNode {
  return (
    <header className={css.head}>
      <h2 className={css.title} title={titleOf(session)} dir="auto">
        {titleOf(session)}
      </h2>
      <span className={css.facts} title={session.file}>
        {session.agent} · {plural(session.entries, 'entry', 'entries')} · {formatBytes(session.bytes)}
        {session.models.length > 0 && ` · ${session.models.join(', ')}`}
      </span>
    </header>
  )
}

function SessionActions({ session }: { readonly session: SessionRow }): ReactNode {
  const openDialog = useApp((state) => state.openDialog)
  const [open, setOpen] = useState<'leaves' | 'faults' | null>(null)
  const floating = (name: 'leaves' | 'faults') => ({
    open: open === name,
    onOpenChange: (isOpen: boolean) => setOpen(isOpen ? name : null)
  })
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
          <FaultList session={session.key} onChoose={() => setOpen(null)} />
        </Floating>
      )}
      {session.leaves > 0 && (
        <Floating
          label={plural(session.leaves, 'leaf', 'leaves')}
          title="Leaves"
          hint="Every end of the tree; choosing one makes its path the current one"
          {...floating('leaves')}
        >
          <LeafList session={session.key} onChoose={() => setOpen(null)} />
        </Floating>
      )}
      <FilePlace session={session} />
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
