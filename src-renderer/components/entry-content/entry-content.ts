export const entryContentId = 'entry-content'

interface Awaited {
  readonly entry: string
  /** What had the keyboard meanwhile. */
  readonly from: Element | null
}

let awaited: Awaited | null = null

/** Gives the keyboard to what an entry says; where that is still on its way, once it is there. */
export function goToContent(entry: string): void {
  const content = document.getElementById(entryContentId)
  awaited = null
  if (content?.dataset['entry'] === entry) content.focus()
  else awaited = { entry, from: document.activeElement }
}

/** Gives the keyboard to content that has just come, where it was waited for and the person went nowhere else. */
export function arriveAtContent(content: HTMLElement): void {
  const isAwaited = awaited?.entry === content.dataset['entry'] && awaited?.from === document.activeElement
  awaited = null
  if (isAwaited) content.focus()
}
