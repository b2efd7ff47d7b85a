import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, type Page } from '@playwright/test'
import type axeCore from 'axe-core'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Fails with one line for each element that breaks a WCAG 2.2 A or AA rule, or a best practice of axe; with `AAA`, text needs 7:1. */
export async function expectAccessible(page: Page, contrast: 'AA' | 'AAA' = 'AA'): Promise<void> {
  await page.evaluate(source)
  const found = await page.evaluate(async (enhanced) => {
    const { axe } = window as unknown as { readonly axe: typeof axeCore }
    const { violations } = await axe.run({ rules: { 'color-contrast-enhanced': { enabled: enhanced } } })
    return violations.flatMap(({ id, help, nodes }) => nodes.map(({ target }) => `${id}: ${help}: ${target.join(' ')}`))
  }, contrast === 'AAA')
  expect(found).toEqual([])
}
