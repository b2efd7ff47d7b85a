import { expect, test } from 'vitest'
import { chooseShell, type ChoiceDeps } from './choose-shell.ts'
import type { ElectronBinary } from './electron-binary.ts'

const usual = { shell: null, window: true, port: 0 } as const
const found: ElectronBinary = { kind: 'found', path: '/electron', why: 'it is installed' }
const missing: ElectronBinary = { kind: 'missing', why: 'it could not be fetched' }

function deps(binary: ElectronBinary | 'never', display = true): ChoiceDeps & { readonly insisted: boolean[] } {
  const insisted: boolean[] = []
  return {
    display,
    insisted,
    async findElectron(insist) {
      insisted.push(insist)
      if (binary === 'never') throw new Error('nobody should look')
      return binary
    }
  }
}

test('Electron runs where its binary is, else the browser shell, each with its reason', async () => {
  expect(await chooseShell(usual, deps(found))).toEqual({
    kind: 'electron',
    binary: '/electron',
    why: 'it is installed'
  })
  expect(await chooseShell(usual, deps(missing))).toEqual({ kind: 'browser', why: 'it could not be fetched' })
})

test('nothing is fetched for what Electron could not do', async () => {
  expect(await chooseShell(usual, deps('never', false))).toMatchObject({
    kind: 'browser',
    why: expect.stringContaining('display')
  })
  expect(await chooseShell({ ...usual, window: false }, deps('never'))).toMatchObject({ kind: 'browser' })
  expect(await chooseShell({ ...usual, port: 8080 }, deps('never'))).toMatchObject({ kind: 'browser' })
  for (const shell of ['browser', 'none'] as const) {
    expect(await chooseShell({ ...usual, shell }, deps('never'))).toEqual({
      kind: 'browser',
      why: `asked for by --shell ${shell}`
    })
  }
})

test('asked for by name, Electron is tried again, and its absence is a refusal', async () => {
  const asked = { ...usual, shell: 'electron' } as const
  const there = deps(found, false)
  expect(await chooseShell(asked, there)).toMatchObject({ kind: 'electron' })
  expect(there.insisted).toEqual([true])
  await expect(chooseShell(asked, deps(missing))).rejects.toMatchObject({ code: 'unsupported' })
})
