import { createContext, useContext, useState } from 'react'

/** Names of the folded parts that the person opened; outlives their leaving the view. */
export const OpenParts = createContext<Set<string>>(new Set())

/** Whether a folded part is open, and how to change that. */
export function useOpenPart(name: string): readonly [isOpen: boolean, toggle: (open: boolean) => void] {
  const parts = useContext(OpenParts)
  const [isOpen, setOpen] = useState(() => parts.has(name))
  const toggle = (open: boolean) => {
    if (open) parts.add(name)
    else parts.delete(name)
    setOpen(open)
  }
  return [isOpen, toggle]
}
