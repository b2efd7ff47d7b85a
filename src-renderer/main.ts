import { reachEngine } from './state/reach-engine.ts'

const container = document.getElementById('root')
if (container === null) throw new Error('The page has no root')

// The engine is reached while the window's code is on its way: neither waits for the other.
const engine = reachEngine()
// What went wrong there is said by what is drawn.
engine.catch(() => undefined)

// In two parts, each evaluated in a task of its own. No await at the top: what they import of this file waits for its end.
Promise.all([import('react-dom/client'), import('./draw-app.tsx')])
  .then(([{ createRoot }, { drawApp }]) => drawApp(createRoot(container), engine))
  .catch((error: unknown) => {
    container.setAttribute('role', 'alert')
    container.textContent = `Treeline’s window could not be loaded. Load this page again. (${String(error)})`
  })
