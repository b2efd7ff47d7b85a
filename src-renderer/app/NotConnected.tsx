import type { ReactNode } from 'react'
import { Button } from '#renderer/components/button/Button.tsx'
import { FailureNotice } from '#renderer/components/notice/FailureNotice.tsx'

/** All there is where the engine cannot be reached. */
export function NotConnected({ error }: { readonly error: unknown }): ReactNode {
  return (
    <main>
      <FailureNotice error={error instanceof Error ? error : new Error(String(error))}>
        <Button onClick={() => location.reload()}>Try again</Button>
      </FailureNotice>
    </main>
  )
}
