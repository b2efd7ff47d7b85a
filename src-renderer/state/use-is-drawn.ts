import { useEffect, useState } from 'react'
import type { SessionKey } from '#shared/model/keys.ts'
import { useOutline } from './queries.ts'

/**
 * Whether the session's outline has been on the screen for a frame: by then the rows in view are asked for, and what
 * takes the engine longer does not hold them up.
 */
export function useIsDrawn(session: SessionKey): boolean {
  const isReady = useOutline(session).data !== undefined
  const [drawn, setDrawn] = useState<SessionKey | null>(null)
  useEffect(() => {
    if (!isReady) return
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(() => setDrawn(session))
    })
    return () => cancelAnimationFrame(frame)
  }, [isReady, session])
  return drawn === session
}
