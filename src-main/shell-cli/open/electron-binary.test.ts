import { existsSync, mkdirSync, mkdtempSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { electronBinary } from './electron-binary.ts'

/** A project with an electron package whose download and installer are made up. */
function project(download: string, install = '') {
  const root = mkdtempSync(join(tmpdir(), 'treeline-electron-'))
  const electron = join(root, 'node_modules', 'electron')
  const get = join(root, 'node_modules', '@electron', 'get')
  mkdirSync(electron, { recursive: true })
  mkdirSync(get, { recursive: true })
  const put = (folder: string, name: string, text: string) => writeFileSync(join(folder, name), text)
  put(root, 'package.json', '{}')
  put(electron, 'package.json', '{"version":"45.5.0"}')
  put(electron, 'checksums.json', '{"a":"b"}')
  put(electron, 'install.js', install)
  put(get, 'package.json', '{"type":"module","exports":"./index.js"}')
  const log = join(root, 'log')
  put(
    get,
    'index.js',
    `import fs from 'node:fs'\nexport async function downloadArtifact(details) { fs.appendFileSync(${JSON.stringify(log)}, details.version + ' '); ${download} }`
  )
  return {
    root,
    electron,
    tries: () => (existsSync(log) ? readFileSync(log, 'utf8').trim().split(' ').length : 0),
    said: [] as string[],
    find(insist = false) {
      return electronBinary(root, insist, (text) => this.said.push(text))
    }
  }
}

const unpack = `const fs = require('fs'), p = require('path')
fs.mkdirSync(p.join(__dirname, 'dist')); fs.writeFileSync(p.join(__dirname, 'dist', 'electron'), ''); fs.writeFileSync(p.join(__dirname, 'path.txt'), 'electron')`

test('an installed binary is found without a download', async () => {
  const made = project('')
  mkdirSync(join(made.electron, 'dist'))
  writeFileSync(join(made.electron, 'dist', 'electron'), '')
  writeFileSync(join(made.electron, 'path.txt'), 'electron')
  expect(await made.find()).toMatchObject({ kind: 'found', path: join(made.electron, 'dist', 'electron') })
  expect(made.tries()).toBe(0)
})

test('a missing one is fetched with progress, unpacked and found from then on', async () => {
  const progress = `for (const transferred of [0, 55, 100]) details.downloadOptions.getProgressCallback({ transferred, total: 100 })`
  const made = project(progress, unpack)
  expect(await made.find()).toMatchObject({ kind: 'found', why: "Electron's binary was fetched" })
  expect(made.said.join('')).toBe('Fetching Electron 45.5.0, once\n50 % 100 %\n')
  expect(await made.find()).toMatchObject({ kind: 'found', why: "Electron's binary is installed" })
  expect(made.tries()).toBe(1)
})

test('a failed fetch says why and is remembered for a day, unless the person insists', async () => {
  const made = project(
    `throw Object.assign(new TypeError('fetch failed'), { cause: Object.assign(new Error(), { code: 'ENOTFOUND' }) })`
  )
  expect(await made.find()).toEqual({ kind: 'missing', why: "Electron's binary could not be fetched: ENOTFOUND" })
  expect(await made.find()).toMatchObject({ kind: 'missing', why: expect.stringContaining('ENOTFOUND') })
  expect(made.tries()).toBe(1)
  await made.find(true)
  expect(made.tries()).toBe(2)
  const yesterday = new Date(Date.now() - 25 * 60 * 60 * 1000)
  utimesSync(join(made.root, 'node_modules', '.cache', 'treeline', 'electron-not-fetched'), yesterday, yesterday)
  await made.find()
  expect(made.tries()).toBe(3)
})

test('an archive that cannot be unpacked, and one that leaves no binary, are failures', async () => {
  expect(await project('', 'process.exit(1)').find()).toMatchObject({ kind: 'missing' })
  expect(await project('', '').find()).toMatchObject({ kind: 'missing' })
})

test('without the electron package there is nothing to fetch', async () => {
  const root = mkdtempSync(join(tmpdir(), 'treeline-no-electron-'))
  expect(await electronBinary(root, true, () => {})).toEqual({ kind: 'missing', why: 'Electron is not installed' })
})
