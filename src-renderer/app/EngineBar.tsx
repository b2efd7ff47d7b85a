import { type ReactNode, useEffect } from 'react'
import type { EngineEnd } from '#shared/contract/app.ts'
import { Button } from '#renderer/components/button/Button.tsx'
import { giveBack } from '#renderer/components/modal/return-target.ts'
import { useAction } from '#renderer/state/actions.ts'
import { useEngineState } from '#renderer/state/queries.ts'
import { useApp } from '#renderer/state/store.ts'
import { causeOfEnd, effectsOfEnd } from '#renderer/text/engine-end.ts'
import css from './EngineBar.module.css'

/** Said above everything else once the engine or a part of it is gone; what was read stays to be looked at. */
export function EngineBar(): ReactNode {
  const connected = useApp((state) => state.connected)
  const ended = useEngineState().data?.ended ?? null
  if (connected && ended === null) return <div />
  return (
    <div className={css.bar} role="alert">
      {connected && ended !== null ? <Ended end={ended} /> : <Disconnected />}
    </div>
  )
}

function Disconnected(): ReactNode {
  return (
    <>
      <span>
        <strong>Not connected.</strong> Treeline’s engine has ended; what you see is what it said last. Start Treeline
        again, or try whether it is back.
      </span>
      <Button onClick={() => location.reload()}>Reload</Button>
    </>
  )
}

function Ended({ end }: { readonly end: EngineEnd }): ReactNode {
  const restart = useAction('engine.restart')
  // Its button goes away with the keyboard at it.
  useEffect(() => () => void requestAnimationFrame(() => giveBack(null)), [])
  return (
    <>
      <span>
        <strong>{causeOfEnd(end)}</strong> {effectsOfEnd[end.role]}
      </span>
      <Button disabled={restart.isPending} onClick={() => restart.mutate({})}>
        {restart.isPending ? 'Starting' : 'Start it again'}
      </Button>
    </>
  )
}
