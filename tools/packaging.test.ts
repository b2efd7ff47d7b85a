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
})
