import { expect, test } from 'vitest'
import { shortEntryId } from './entry-ids.ts'

test('a long id is told by its end', () => {
  expect(['m4', '0199f000', 'caac9344-0d52-46bd-8022-f22c255fea65:26'].map(shortEntryId)).toEqual([
    'm4',
    '0199f000',
    '…255fea65:26'
  ])
})
