import { expect, type Locator, type Page } from '@playwright/test'

/** What a person finds in the window, by role and name. */
export const app = (page: Page) => ({
  sessions: page.getByRole('tree', { name: 'Sessions' }),
  session: (title: string | RegExp): Locator =>
    page.getByRole('tree', { name: 'Sessions' }).getByRole('treeitem', { name: title }),
  filter: page.getByRole('searchbox', { name: 'Filter sessions' }),
  entries: page.getByRole('tree', { name: 'Entries' }),
  entry: (text: string | RegExp): Locator =>
    page.getByRole('tree', { name: 'Entries' }).getByRole('treeitem', { name: text }),
  chosenEntry: page.getByRole('tree', { name: 'Entries' }).getByRole('treeitem', { selected: true }),
  inspector: page.getByRole('article', { name: 'Selected entry' }),
  lines: page.getByRole('grid', { name: 'Lines of the file' }),
  line: (text: string | RegExp): Locator =>
    page.getByRole('grid', { name: 'Lines of the file' }).getByRole('row').filter({ hasText: text }),
  tab: (name: 'Tree' | 'Transcript' | 'Context' | 'Compactions' | 'Tokens and cache' | 'Raw'): Locator =>
    page.getByRole('tab', { name }),
  transcript: page.getByRole('feed', { name: 'Transcript' }),
  /** A message of the transcript by what it says. */
  said: (text: string | RegExp): Locator =>
    page.getByRole('feed', { name: 'Transcript' }).getByRole('article').filter({ hasText: text }),
  context: page.getByRole('feed', { name: 'Messages of the context' }),
  comparison: page.getByRole('feed', { name: 'Messages of both contexts' }),
  dialog: page.getByRole('dialog'),
  /** The dialog once it has the keyboard. */
  dialogAtHand: page.getByRole('dialog').and(page.locator(':focus-within'))
})

/** Presses a button of the open dialog by the keyboard, once it can be pressed. */
export async function pressInDialog(page: Page, name: string | RegExp): Promise<void> {
  const button = app(page).dialog.getByRole('button', { name })
  await expect(button).toBeEnabled()
  await button.press('Enter')
}
