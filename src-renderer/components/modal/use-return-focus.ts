import { useEffect, useState } from 'react'
import { giveBack } from './return-target.ts'

/** Gives the keyboard back to where it was when this component is gone, unless something else has taken it by then. */
export function useReturnFocus(): void {
  const [before] = useState(() => document.activeElement)
  useEffect(() => () => queueMicrotask(() => giveBack(before)), [before])
}
