import { expect, test } from 'vitest'
import { nativePowers, openOutside, type DialogDeps } from './dialogs.ts'

function fakes(answers: { paths?: string[]; target?: string; response?: number }) {
  const log: unknown[] = []
  const deps = {
    window: {},
    dialog: {
      showOpenDialog: async (_window: unknown, options: unknown) => {
        log.push(options)
        return { canceled: answers.paths === undefined, filePaths: answers.paths ?? [] }
      },
      showSaveDialog: async (_window: unknown, options: unknown) => {
        log.push(options)
        return { canceled: answers.target === undefined, filePath: answers.target ?? '' }
      },
      showMessageBox: async (options: { readonly detail: string }) => {
        log.push(options.detail)
        return { response: answers.response ?? 0 }
      }
    },
    shell: {
      showItemInFolder: (path: string) => log.push(['reveal', path]),
      openExternal: async (url: string) => void log.push(['open', url])
    }
  } as unknown as DialogDeps
  return { deps, log }
}

test('the folder dialog gives one folder, or nothing when it is cancelled', async () => {
  const { deps, log } = fakes({ paths: ['/chosen'] })
  expect(await nativePowers(deps).chooseFolder()).toBe('/chosen')
  expect(log).toEqual([{ properties: ['openDirectory'] }])
  expect(await nativePowers(fakes({}).deps).chooseFolder()).toBeUndefined()
})

test('the save dialog proposes the name, and gives nothing when it is cancelled', async () => {
  const { deps, log } = fakes({ target: '/chosen/run.jsonl' })
  expect(await nativePowers(deps).chooseTarget('run.jsonl')).toBe('/chosen/run.jsonl')
  expect(log).toEqual([{ defaultPath: 'run.jsonl' }])
  expect(await nativePowers(fakes({}).deps).chooseTarget('run.jsonl')).toBeUndefined()
})

test('an address is opened outside only after the person has seen it and agreed', async () => {
  const refused = fakes({ response: 0 })
  await openOutside(refused.deps, 'https://example.com/')
  expect(refused.log).toEqual(['https://example.com/'])
  const agreed = fakes({ response: 1 })
  await openOutside(agreed.deps, 'https://example.com/')
  expect(agreed.log).toEqual(['https://example.com/', ['open', 'https://example.com/']])
})
