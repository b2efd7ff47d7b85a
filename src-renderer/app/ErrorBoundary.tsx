import { Component, type ReactNode } from 'react'
import { Button } from '#renderer/components/button/Button.tsx'
import { FailureNotice } from '#renderer/components/notice/FailureNotice.tsx'

interface ErrorBoundaryProps {
  readonly children: ReactNode
}

interface Caught {
  readonly error: Error | null
}

/** Keeps a mistake of ours within its pane and says under which id it can be found. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, Caught> {
  override state: Caught = { error: null }

  static getDerivedStateFromError(thrown: unknown): Caught {
    return { error: thrown instanceof Error ? thrown : new Error(String(thrown)) }
  }

  override render(): ReactNode {
    const { error } = this.state
    if (error === null) return this.props.children
    return (
      <FailureNotice error={error}>
        <Button onClick={() => this.setState({ error: null })}>Try again</Button>
      </FailureNotice>
    )
  }
}
