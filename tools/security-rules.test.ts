import { expect, test } from 'vitest'
import { electronProblems, securityProblems } from './security-rules.ts'

test.each([
  ['src-main/shell-electron/other.ts', 'await window.loadURL(appUrl)'],
  ['src-main/shell-electron/other.ts', "window.loadFile('index.html')"],
  ['src-main/shell-electron/other.ts', 'const w = new BrowserWindow()'],
  ['src-main/shell-electron/other.ts', 'const w = new electron.BrowserWindow()'],
  ['src-main/shell-electron/other.ts', 'webPreferences: {}'],
  ['src-main/shell-electron/main-window.ts', 'sandbox: false,'],
  ['src-main/shell-electron/main-window.ts', 'nodeIntegrationInWorker: true,'],
  ['src-main/shell-electron/app-protocol.ts', 'bypassCSP: true'],
  ['src-main/shell-electron/other.ts', 'app.setAsDefaultProtocolClient(scheme)'],
  ['src-main/shell-electron/other.ts', 'shell.openExternal(url)'],
  ['src-main/shell-browser/other.ts', "response.setHeader('Access-Control-Allow-Origin', '*')"],
  ['src-main/platform/page-headers.ts', "script-src 'self' 'unsafe-inline'"],
  ['src-renderer/views/other.tsx', '<webview src={url} />'],
  ['src-renderer/views/other.tsx', 'element.innerHTML = text'],
  ['src-renderer/views/other.tsx', '<div dangerouslySetInnerHTML={html} />'],
  ['src-renderer/views/other.tsx', "document.write('x')"],
  ['src-renderer/views/other.tsx', 'eval(text)'],
  ['src-shared/tree/other.ts', "new Function('return 1')"],
  ['src-main/electron.ts', 'if (ready) run()'],
  ['src-main/electron.ts', 'const a = b ?? c'],
  ['src-main/electron.ts', 'const a = b ? c : d'],
  ['src-main/browser.ts', '\n'.repeat(41)],
  ['out/renderer/assets/a.js', 'fetch("https://cdn.example.com/x")'],
  ['out/renderer/assets/a.css', 'url(http://fonts.example.com/x)'],
  ['out/renderer/assets/a.js', 'new Function("x")'],
  ['out/renderer/index.html', '<script>start()</script>'],
  ['out/renderer/index.html', '<script type="module">start()</script>'],
  ['out/renderer/index.html', '<body style="margin:0">'],
  ['out/renderer/index.html', '<body onload="start()">'],
  ['out/renderer/assets/a.js.map', '{}'],
  ['out/main/chunks/a.js', `"script-src 'unsafe-inline'"`],
  ['out/preload/preload.cjs', 'let fs = require("fs")']
])('%s may not say %j', (path, text) => {
  expect(securityProblems({ [path]: text })).toHaveLength(1)
})

test('what the app does is let through', () => {
  const fine = {
    'src-main/shell-electron/main-window.ts': 'new deps.BrowserWindow({ webPreferences }); window.loadURL(appUrl)',
    'src-main/shell-electron/dialogs.ts': 'shell.openExternal(url)',
    'src-main/electron.ts': 'void run({ a, b })',
    'src-main/browser.ts': '\n'.repeat(40),
    'out/renderer/index.html': '<script type="module" crossorigin src="./a.js"></script>',
    'out/renderer/assets/a.js': 'createElementNS("http://www.w3.org/2000/svg")',
    'out/preload/preload.cjs': 'let electron = require("electron");'
  }
  expect(securityProblems(fine)).toEqual([])
})

test('the pin of Electron is one exact version that its makers still mend', () => {
  const then = new Date('2026-12-01')
  expect(electronProblems('45.5.0', then)).toEqual([])
  expect(electronProblems('47.0.0', new Date('2027-06-01'))).toEqual([])
  for (const [pinned, day] of [
    ['^45.5.0', then],
    [undefined, then],
    ['44.9.9', then],
    ['45.5.0', new Date('2027-06-01')]
  ] as const)
    expect(electronProblems(pinned, day)).toHaveLength(1)
})
