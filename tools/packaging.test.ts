import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import config, { electronFuses } from '../electron-builder.ts'

test('the packaged program takes no orders but those of its own archive', () => {
  expect(electronFuses).toEqual({
    runAsNode: false,
    enableNodeOptionsEnvironmentVariable: false,
    enableNodeCliInspectArguments: false,
    grantFileProtocolExtraPrivileges: false,
    enableCookieEncryption: true,
    onlyLoadAppFromAsar: true,
    enableEmbeddedAsarIntegrityValidation: true
  })
  expect(config.electronFuses).toBe(electronFuses)
})

test('the package is one archive, from which only native code is unpacked, by name', () => {
  expect(config.asar).toBe(true)
  expect(config.asarUnpack).toEqual(['node_modules/better-sqlite3/prebuilds/**'])
})

test('only the build and what it needs is packed: no sources, maps, tests or tools', () => {
  expect(config.files.filter((pattern) => !pattern.startsWith('!'))).toEqual([
    'out/**',
    'resources/**',
    'package.json',
    'LICENSE'
  ])
  expect(config.files).toContain('!**/*.map')
  expect(config.files).toContain('!node_modules/node-{linux,win}-*/**')
})

test('Linux, macOS and Windows each have a package and an icon', () => {
  const file = (path: string) => readFileSync(resolve(import.meta.dirname, '..', path))
  for (const { target } of [config.linux, config.mac, config.win]) expect(target.length).toBeGreaterThan(0)
  expect(file(config.mac.icon).subarray(0, 4).toString()).toBe('icns')
  expect(file(config.mac.icon).readUInt32BE(4)).toBe(file(config.mac.icon).length)
  expect(file(config.win.icon).readUInt16LE(2)).toBe(1)
  for (const size of [16, 32, 48, 128, 256, 512]) {
    const png = file(`${config.linux.icon}/${size}x${size}.png`)
    expect(png.subarray(1, 4).toString()).toBe('PNG')
    expect(png.readUInt32BE(16)).toBe(size)
  }
})

test('each picture of an icon of Windows is where its table says', () => {
  const icon = readFileSync(resolve(import.meta.dirname, '..', config.win.icon))
  const count = icon.readUInt16LE(4)
  expect(count).toBe(7)
  for (let index = 0; index < count; index++) {
    const at = 6 + 16 * index
    const png = icon.subarray(icon.readUInt32LE(at + 12), icon.readUInt32LE(at + 12) + icon.readUInt32LE(at + 8))
    expect(png.subarray(1, 4).toString()).toBe('PNG')
    expect(png.readUInt32BE(16) % 256).toBe(icon[at])
  }
})
