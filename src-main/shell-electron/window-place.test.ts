import { EventEmitter } from 'node:events'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Display } from 'electron'
import { beforeEach, expect, test } from 'vitest'
import { windowPlaces } from './window-place.ts'

let path: string
beforeEach(() => {
  path = join(mkdtempSync(join(tmpdir(), 'treeline-window-')), 'window.json')
})

const area = (x: number, y: number, width: number, height: number) => ({ workArea: { x, y, width, height } }) as Display
const places = (...displays: Display[]) => windowPlaces(path, { getAllDisplays: () => displays })
const first = area(0, 0, 1920, 1040)
const second = area(1920, 0, 1280, 1000)

function fakeWindow() {
  let bounds = { x: 0, y: 0, width: 1440, height: 900 }
  let maximized = false
  const window = Object.assign(new EventEmitter(), {
    getNormalBounds: () => bounds,
    isMaximized: () => maximized
  })
  return {
    window,
    put(next: typeof bounds, isMaximized = false) {
      bounds = next
      maximized = isMaximized
      window.emit(isMaximized ? 'maximize' : 'move')
    }
  }
}

async function left(bounds: { x: number; y: number; width: number; height: number }, isMaximized = false) {
  const { window, put } = fakeWindow()
  const followed = places(first, second).follow(window)
  put(bounds, isMaximized)
  await followed.save()
}

test('the first window is put by the system', async () => {
  expect(await places(first).last()).toEqual({ bounds: { width: 1440, height: 900 }, isMaximized: false })
})

test('a window comes back where it was left, maximised or not', async () => {
  const bounds = { x: 2000, y: 50, width: 1000, height: 700 }
  await left(bounds, true)
  expect(await places(first, second).last()).toEqual({ bounds, isMaximized: true })
})

test('a window on a display that is gone comes back on one that is there', async () => {
  await left({ x: 2000, y: 50, width: 1000, height: 700 })
  expect(await places(first).last()).toEqual({ bounds: { width: 1000, height: 700 }, isMaximized: false })
})

test.each([
  ['above the display', { x: 100, y: -30, width: 1000, height: 700 }],
  ['below it', { x: 100, y: 1020, width: 1000, height: 700 }],
  ['but for a sliver beside it', { x: -950, y: 100, width: 1000, height: 700 }]
])('a window whose title bar is %s is put by the system', async (_where, bounds) => {
  await left(bounds)
  expect((await places(first).last()).bounds).toEqual({ width: 1000, height: 700 })
})

test('a window larger than the display it comes back on is made to fit, and never too small to use', async () => {
  await left({ x: 0, y: 0, width: 1900, height: 1000 })
  expect((await places(area(0, 0, 1280, 500)).last()).bounds).toMatchObject({ width: 1280, height: 560 })
})

test('a file that makes no sense is as none', async () => {
  writeFileSync(path, '{"bounds":{"x":"left"}}')
  expect(await places(first).last()).toEqual({ bounds: { width: 1440, height: 900 }, isMaximized: false })
})

test('a window that was never moved leaves nothing behind', async () => {
  await places(first).follow(fakeWindow().window).save()
  expect((await places(first).last()).bounds).toEqual({ width: 1440, height: 900 })
})
