import { type ReactNode, useEffect, useState } from 'react'
import { Button } from '#renderer/components/button/Button.tsx'

interface CopyButtonProps {
  readonly text: string
  readonly children: string
  readonly title?: string
  readonly look?: 'plain' | 'quiet' | 'link'
  readonly className?: string | undefined
}

const saidFor = 1500

/** Copies a text and says whether that worked. */
export function CopyButton({ text, children, title, look = 'plain', className }: CopyButtonProps): ReactNode {
  const [said, say] = useState<string | null>(null)
  useEffect(() => {
    if (said === null) return
    const timer = setTimeout(() => say(null), saidFor)
    return () => clearTimeout(timer)
  }, [said])
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => say('Copied'),
      () => say('Not allowed')
    )
  return (
    <Button look={look} className={className} title={title} onClick={() => void copy()} aria-live="polite">
      {said ?? children}
    </Button>
  )
}
