import { existsSync } from 'node:fs'
import { defineConfig } from '@playwright/test'
import { findBrowser, type TestBrowser } from './tools/find-browser.ts'

// Each worker process reads this file again and inherits what the first found.
const inherited = process.env['TREELINE_TEST_BROWSER']
const browser = inherited === undefined ? findBrowser() : (JSON.parse(inherited) as TestBrowser)
process.env['TREELINE_TEST_BROWSER'] = JSON.stringify(browser)

const electron = existsSync('node_modules/electron/path.txt')
if (!electron && inherited === undefined) console.log('left out, no Electron binary: e2e/electron')

export default defineConfig({
  testDir: 'e2e',
  outputDir: 'test-results',
  fullyParallel: true,
  workers: 2,
  timeout: 120_000,
  expect: { timeout: 30_000 },
  forbidOnly: process.env['CI'] !== undefined,
  reporter: 'list',
  use: {
    trace: 'retain-on-failure',
    launchOptions: {
      executablePath: browser.executablePath,
      env: { ...(process.env as Record<string, string>), ...browser.env }
    }
  },
  projects: [
    { name: 'browser-shell', testDir: 'e2e/browser-shell' },
    { name: 'cli', testDir: 'e2e/cli' },
    ...(electron ? [{ name: 'electron', testDir: 'e2e/electron' }] : [])
  ]
})
