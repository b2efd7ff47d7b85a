import fc from 'fast-check'
import { expect, test } from 'vitest'
import { attachment } from './downloads.ts'

test('whatever a file is called, its name stays one name inside the header', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (name) => {
      const header = attachment(name)
      expect(header).toMatch(/^attachment; filename="[ \w.()-]*"; filename\*=UTF-8''[\w.!~%-]*$/)
      const decoded = decodeURIComponent(header.split("UTF-8''")[1]!)
      expect(decoded).not.toMatch(/[/\\\p{Cc}]/u)
    })
  )
})

test('a usual name is kept as it is', () => {
  expect(attachment('run-1.jsonl')).toBe(`attachment; filename="run-1.jsonl"; filename*=UTF-8''run-1.jsonl`)
})
