import { type ReactNode, useEffect } from 'react'
import { useFolders, useSession, useSessions } from '#renderer/state/queries.ts'
import { onlySession } from '#renderer/state/only-session.ts'
import { useSelectedSession } from '#renderer/state/selection.ts'
import { useApp } from '#renderer/state/store.ts'
import { titleOf } from '#renderer/text/sessions.ts'
import css from './App.module.css'
import { Dialogs } from './Dialogs.tsx'
import { EngineBar } from './EngineBar.tsx'
import { Footer } from './Footer.tsx'
import { Header } from './Header.tsx'
import { LoadAhead } from './LoadAhead.tsx'
import { Panes } from './Panes.tsx'
import { useDrop } from './use-drop.ts'
import { useLook } from './use-look.ts'
import { useShortcuts } from './use-shortcuts.ts'

export function App(): ReactNode {
  useLook()
  useShortcuts()
  useDrop()
  useOnlySession()
  useWindowTitle()
  return (
    <div className={css.app}>
      <Header />
      <EngineBar />
      <Panes />
      <Footer />
      <Dialogs />
      <LoadAhead />
    </div>
  )
}

/** Where there is one session and nothing was chosen yet, it is the one that is meant. */
function useOnlySession(): void {
  const only = onlySession(useSessions().data ?? [], useFolders().data?.opened ?? [])
  const selected = useSelectedSession()
  const selectSession = useApp((state) => state.selectSession)
  useEffect(() => {
    if (selected === null && only !== null) selectSession(only)
  }, [selected, only, selectSession])
}

function useWindowTitle(): void {
  const session = useSession(useSelectedSession()).data
  const title = session === undefined ? 'Treeline' : `${titleOf(session)} - Treeline`
  useEffect(() => {
    document.title = title
  }, [title])
}
