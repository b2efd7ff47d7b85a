import { expect, test } from 'vitest'
import { ownFolders } from './own-folders.ts'

test('on Linux the folders are those of the XDG convention, an empty variable counting as none', () => {
  expect(ownFolders({}, '/home/me', 'linux')).toEqual({
    data: '/home/me/.local/share/treeline',
    index: '/home/me/.cache/treeline/index.db'
  })
  expect(ownFolders({ XDG_DATA_HOME: '/d', XDG_CACHE_HOME: '' }, '/home/me', 'linux')).toEqual({
    data: '/d/treeline',
    index: '/home/me/.cache/treeline/index.db'
  })
})

test('on macOS they are in the Library', () => {
  expect(ownFolders({}, '/Users/me', 'darwin')).toEqual({
    data: '/Users/me/Library/Application Support/Treeline',
    index: '/Users/me/Library/Caches/Treeline/index.db'
  })
})
