import type { Root } from 'react-dom/client'
import type { ReachedEngine } from './state/reach-engine.ts'
import { StateProvider } from './state/StateProvider.tsx'
import { startState } from './state/start.ts'
import { App } from './app/App.tsx'
import { NotConnected } from './app/NotConnected.tsx'

/** Draws the window once the engine is reached, or why it is not. */
export async function drawApp(root: Root, engine: Promise<ReachedEngine>): Promise<void> {
  try {
    const state = startState(await engine)
    root.render(
      <StateProvider {...state}>
        <App />
      </StateProvider>
    )
  } catch (error) {
    root.render(<NotConnected error={error} />)
  }
}
