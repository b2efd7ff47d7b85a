import fc from 'fast-check'
import { expect, test } from 'vitest'
import { elementsOf } from './elements.ts'

const texts = (json: string) =>
  elementsOf(Buffer.from(json), 'messages').map(([offset, length]) =>
    Buffer.from(json).toString('utf8', offset, offset + length)
  )

test('the elements of a member are found wherever it stands and whatever they hold', () => {
  expect(
    texts('{"a":"messages","x":[1],"messages":[{"b":[1,{"c":"],["}]}, "s\\"," ,3 ,null],"z":{"messages":[9]}}')
  ).toEqual(['{"b":[1,{"c":"],["}]}', '"s\\","', '3', 'null'])
})

test.each([
  '{}',
  '{"messages":[]}',
  '{"messages":[ ]}',
  '{"messages":{"a":1}}',
  '{"messages":null,"b":[1]}',
  '[["messages"]]',
  '3'
])('there are none in %s', (json) => {
  expect(texts(json)).toEqual([])
})

test('the last of two members counts', () => {
  expect(texts('{"messages":[1],"messages":[2,3]}')).toEqual(['2', '3'])
})

test('they are what parsing gives, with any white space', () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue()), fc.jsonValue(), fc.constantFrom(0, 2, '\t'), (messages, other, space) => {
      const json = JSON.stringify({ other, messages, later: [other] }, null, space)
      expect(texts(json).map((text) => JSON.stringify(JSON.parse(text)))).toEqual(
        messages.map((message) => JSON.stringify(message))
      )
    })
  )
})
