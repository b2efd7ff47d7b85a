import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { resolve } from 'node:path'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { dropName, messageName } from './ipc-channel.ts'

const file = resolve(import.meta.dirname, '../preload.ts')
const source = readFileSync(file, 'utf8')

interface Bridge {
  post(message: unknown): void
  onMessage(listener: (...heard: unknown[]) => void): void
}

/** Runs the preload with a fake electron, as the sandbox would with the real one. */
function loaded() {
  const exposed: Record<string, Bridge> = {}
  const sent: unknown[] = []
  const heard: Record<string, (event: unknown, message: unknown) => void> = {}
  const drops: Record<string, (event: unknown) => void> = {}
  const electron = {
    contextBridge: { exposeInMainWorld: (name: string, bridge: Bridge) => (exposed[name] = bridge) },
    ipcRenderer: {
      send: (...message: unknown[]) => sent.push(message),
      on: (name: string, listener: (event: unknown, message: unknown) => void) => (heard[name] = listener)
    },
    webUtils: { getPathForFile: (dropped: { readonly path: string }) => dropped.path }
  }
  const window = {
    addEventListener: (name: string, listener: (event: unknown) => void) => (drops[name] = listener)
  }
  const script = stripTypeScriptTypes(source).replace(/import (\{.*?\}) from 'electron'/, 'const $1 = electron')
  runInNewContext(script, { electron, window, Array, Boolean })
  return { exposed, sent, heard, drops }
}

test('the page gets two functions and nothing of Electron', () => {
  const { exposed, sent, heard } = loaded()
  expect(Object.keys(exposed)).toEqual(['bridge'])
  const bridge = exposed['bridge']!
  expect(Object.keys(bridge)).toEqual(['post', 'onMessage'])
  bridge.post({ kind: 'call' })
  expect(sent).toEqual([[messageName, { kind: 'call' }]])
  const got: unknown[] = []
  bridge.onMessage((...all) => got.push(all))
  heard[messageName]!({ sender: 'secret' }, { kind: 'event' })
  expect(got).toEqual([[{ kind: 'event' }]])
})

test('paths of what a person dropped go to the main process; a drop that a script made up does not', () => {
  const { sent, drops } = loaded()
  const files = [{ path: '/dropped' }, { path: '' }]
  const preventDefault = () => {}
  drops['drop']!({ isTrusted: false, dataTransfer: { files }, preventDefault })
  expect(sent).toEqual([])
  drops['drop']!({ isTrusted: true, dataTransfer: { files }, preventDefault })
  expect(JSON.parse(JSON.stringify(sent))).toEqual([[dropName, ['/dropped']]])
})

test('it imports electron alone and fits on a page', () => {
  expect([...source.matchAll(/(?:import|require|from)\b.*?['"](.+?)['"]/g)].map((match) => match[1])).toEqual([
    'electron'
  ])
  expect(source.split('\n').length).toBeLessThan(40)
})
