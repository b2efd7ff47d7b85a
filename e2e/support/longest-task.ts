import { type Browser, expect, type Page } from '@playwright/test'

interface TraceEvent {
  readonly name: string
  readonly pid: number
  readonly tid: number
  readonly ts: number
  /** Microseconds of the thread's own time. */
  readonly tdur?: number
  readonly args: { readonly name?: string }
}

/** Begins to record what the window's thread does; marks of the page (`performance.mark`) are recorded too. */
export const traceTasks = (browser: Browser, page: Page): Promise<void> =>
  browser.startTracing(page, { categories: ['toplevel', 'loading', 'blink.user_timing'] })

/**
 * Milliseconds for which the window's longest task after an event kept its thread busy; ends the recording. What other
 * processes took of the machine meanwhile is left out: it is not the window that is slow then.
 */
export async function longestTask(browser: Browser, after: string): Promise<number> {
  const trace = await browser.stopTracing()
  const { traceEvents } = JSON.parse(trace.toString()) as { readonly traceEvents: readonly TraceEvent[] }
  const start = traceEvents.findLast(({ name }) => name === after)!
  const main = traceEvents.find(({ pid, args }) => pid === start.pid && args.name === 'CrRendererMain')!
  const tasks = traceEvents.filter(
    ({ name, pid, tid, ts }) => name.endsWith('RunTask') && pid === main.pid && tid === main.tid && ts > start.ts
  )
  // One that runs while the recording ends has no time, and one within it neither.
  const times = tasks.flatMap(({ tdur }) => tdur ?? [])
  expect(times.length).toBeGreaterThan(100)
  expect(times.length).toBeGreaterThan(0.99 * tasks.length)
  return Math.max(...times) / 1000
}
