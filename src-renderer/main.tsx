import { createRoot } from 'react-dom/client'
import { App } from './app/App.tsx'
import { NotConnected } from './app/NotConnected.tsx'
import { StateProvider } from './state/StateProvider.tsx'
import { startState } from './state/start.ts'

const container = document.getElementById('root')
if (container === null) throw new Error('The page has no root')
const root = createRoot(container)

try {
  const state = await startState()
  root.render(
    <StateProvider {...state}>
      <App />
    </StateProvider>
  )
} catch (error) {
  root.render(<NotConnected error={error} />)
}
