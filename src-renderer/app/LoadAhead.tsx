import { useEffect } from 'react'
import { loadAhead } from '#renderer/components/deferred/deferred.tsx'
import { useIsResting } from '#renderer/state/use-is-resting.ts'

/** Milliseconds for which nothing was asked. */
const rest = 200

/** Loads the views that are not drawn yet once the first one has all it asked for, so that a choice need not wait for them. */
export function LoadAhead(): null {
  const isResting = useIsResting()
  useEffect(() => {
    if (!isResting) return
    const timer = setTimeout(() => void loadAhead(), rest)
    return () => clearTimeout(timer)
  }, [isResting])
  return null
}
