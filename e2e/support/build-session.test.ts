import { expect, test } from 'vitest'
import { assistant, header, idAt, sessionFile, titleSlot, user } from './build-session.ts'

const read = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)

test('an entry hangs on the one above it unless it names its parent', () => {
  const lines = read(
    sessionFile([
      header(),
      user('one'),
      assistant('two', { id: 'b' }),
      user('three'),
      user('other', { parent: 'b' }),
      user('new', { parent: null })
    ])
  )
  expect(lines.slice(1).map(({ id, parentId }) => [id, parentId])).toEqual([
    [idAt(1), null],
    ['b', idAt(1)],
    [idAt(3), 'b'],
    [idAt(4), 'b'],
    [idAt(5), null]
  ])
})

test('the title slot is exactly 256 bytes with its line feed', () => {
  const [slot = ''] = sessionFile([titleSlot('Äpfel'), header()]).split('\n')
  expect(Buffer.byteLength(slot) + 1).toBe(256)
})
