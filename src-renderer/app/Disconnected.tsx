import type { ReactNode } from 'react'
import { Button } from '#renderer/components/button/Button.tsx'
import { useApp } from '#renderer/state/store.ts'
import css from './Disconnected.module.css'

/** Said above everything else once the engine is gone; what was read stays to be looked at. */
export function Disconnected(): ReactNode {
  const connected = useApp((state) => state.connected)
  if (connected) return <div />
  return (
    <div className={css.bar} role="alert">
      <span>
        <strong>Not connected.</strong> Treeline’s engine has ended; what you see is what it said last. Start Treeline
        again, or try whether it is back.
      </span>
      <Button onClick={() => location.reload()}>Reload</Button>
    </div>
  )
}
