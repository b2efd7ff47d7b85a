import { useEffect, useState } from 'react'

const beat = 30_000

/** The time in milliseconds, renewed twice a minute, for texts such as "2 min ago". */
export function useNow(): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), beat)
    return () => clearInterval(timer)
  }, [])
  return now
}
