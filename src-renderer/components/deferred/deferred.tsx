import { type ComponentType, type ReactNode, useLayoutEffect, useSyncExternalStore } from 'react'
import { Button } from '#renderer/components/button/Button.tsx'
import { FailureNotice } from '#renderer/components/notice/FailureNotice.tsx'
import { Notice } from '#renderer/components/notice/Notice.tsx'
import css from './deferred.module.css'

type Part<Props> =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'loaded'; readonly Content: ComponentType<Props> }
  | { readonly kind: 'failed'; readonly error: Error }

const ahead: (() => Promise<void>)[] = []

/** Loads the code of all deferred components that is not asked for yet, one after the other. */
export async function loadAhead(): Promise<void> {
  for (const load of ahead) await load()
}

/**
 * A component whose code is loaded when it is first drawn, or by `loadAhead` before that: then it is drawn at once. While
 * the code is on its way `waiting` is shown; where it cannot be had, that is said: a browser may not ask twice for a module
 * that failed, but a page that is loaded anew does.
 */
export function deferred<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  waiting: ReactNode = <Late />
): ComponentType<Props> {
  let part: Part<Props> = { kind: 'waiting' }
  let loading: Promise<void> | null = null
  const listeners = new Set<() => void>()
  const put = (next: Part<Props>) => {
    part = next
    for (const listener of listeners) listener()
  }
  const fetchPart = async () => {
    try {
      put({ kind: 'loaded', Content: await load() })
    } catch (error) {
      put({ kind: 'failed', error: failed(error) })
    }
  }
  const start = () => (loading ??= fetchPart())
  const subscribe = (listener: () => void) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }
  ahead.push(start)

  return function Deferred(props: Props): ReactNode {
    const now = useSyncExternalStore(subscribe, () => part)
    useLayoutEffect(() => void start(), [])
    switch (now.kind) {
      case 'waiting':
        return waiting
      case 'failed':
        return (
          <FailureNotice error={now.error}>
            <Button onClick={() => location.reload()}>Load the page anew</Button>
          </FailureNotice>
        )
      case 'loaded':
        return <now.Content {...props} />
    }
  }
}

const failed = (cause: unknown): Error =>
  new Error(`A part of the window could not be loaded. Load the page anew. (${String(cause)})`, { cause })

/** Nothing at first: most parts are there within a moment. */
function Late(): ReactNode {
  return (
    <div className={css.late}>
      <Notice kind="busy" title="Loading this view" />
    </div>
  )
}
