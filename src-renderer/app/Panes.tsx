import type { ReactNode } from 'react'
import { deferred } from '#renderer/components/deferred/deferred.tsx'
import { Splitter } from '#renderer/components/splitter/Splitter.tsx'
import { paneLimits } from '#renderer/state/layout-slice.ts'
import { useSelectedSession, useView } from '#renderer/state/selection.ts'
import type { Tab } from '#renderer/state/selection-slice.ts'
import { useApp } from '#renderer/state/store.ts'
import { Library } from '#renderer/views/library/Library.tsx'
import { SessionView } from '#renderer/views/session/SessionView.tsx'
import { Welcome } from '#renderer/views/welcome/Welcome.tsx'
import { ErrorBoundary } from './ErrorBoundary.tsx'
import css from './Panes.module.css'
import { paneIds } from './panes.ts'

const Inspector = deferred(async () => (await import('#renderer/views/inspector/Inspector.tsx')).Inspector)

const [libraryId, sessionId, inspectorId] = paneIds

/** Views that take the inspector's place too: they show several things at once. */
const wideTabs: ReadonlySet<Tab> = new Set(['compactions', 'usage'])

/** Library, session and inspector, with the lines between them to be dragged. */
export function Panes(): ReactNode {
  const session = useSelectedSession()
  const hasInspector = !wideTabs.has(useView().tab) && session !== null
  const library = useApp((state) => state.libraryWidth)
  const inspector = useApp((state) => state.inspectorWidth)
  const resizePane = useApp((state) => state.resizePane)
  // Where the window is too narrow for all three the sides give way first.
  const columns = `minmax(160px, ${library}px) minmax(min(480px, 100vw - 400px), 1fr)`
  return (
    <div
      className={css.panes}
      style={{ gridTemplateColumns: !hasInspector ? columns : `${columns} minmax(240px, ${inspector}px)` }}
    >
      <nav className={css.side} aria-label="Library">
        <div id={libraryId} className={css.pane}>
          <ErrorBoundary>
            <Library />
          </ErrorBoundary>
        </div>
        <Splitter
          label="Width of the library"
          value={library}
          {...paneLimits.library}
          pane="before"
          controls={libraryId}
          onResize={(width) => resizePane('library', width)}
        />
      </nav>
      <main id={sessionId} className={css.pane}>
        <ErrorBoundary key={session}>
          {session === null ? <Welcome /> : <SessionView session={session} />}
        </ErrorBoundary>
      </main>
      {hasInspector && (
        <aside className={css.side} aria-label="Inspector">
          <Splitter
            label="Width of the inspector"
            value={inspector}
            {...paneLimits.inspector}
            pane="after"
            controls={inspectorId}
            onResize={(width) => resizePane('inspector', width)}
          />
          <div id={inspectorId} className={css.inspector}>
            <ErrorBoundary key={session}>
              <Inspector session={session} />
            </ErrorBoundary>
          </div>
        </aside>
      )}
    </div>
  )
}
