import { type RefObject, useLayoutEffect, useRef } from 'react'
import { mainList } from '#renderer/components/modal/return-target.ts'
import type { Tab } from '#renderer/state/selection-slice.ts'
import { useApp } from '#renderer/state/store.ts'

/**
 * Gives the keyboard to the session that the ref is put on: from a list when the session or a view of it is chosen, later
 * only where the person is at nothing else. The view's list has it, until that is there its panel, without one the whole.
 */
export function useSessionFocus(tab: Tab): RefObject<HTMLDivElement | null> {
  const own = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const whole = own.current
    if (whole === null) return
    const take = () => {
      const panel = whole.querySelector<HTMLElement>(`[data-view="${tab}"]`)
      const target = panel?.querySelector<HTMLElement>(mainList) ?? panel ?? whole
      target.focus({ preventScroll: true })
    }
    const takeIfFree = () => {
      if (isFree(whole)) take()
    }
    if (document.activeElement?.matches(mainList) === true) take()
    else takeIfFree()
    const observer = new MutationObserver(takeIfFree)
    observer.observe(whole, { childList: true, subtree: true })
    return () => observer.disconnect()
  }, [tab])
  return own
}

/** Whether nobody has the keyboard, or only what holds it for a list to come. */
function isFree(whole: Element): boolean {
  const here = document.activeElement
  if (here === null || here === document.body) return useApp.getState().dialog === null
  return here === whole || here.matches('[data-view]')
}
