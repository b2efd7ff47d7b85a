import { expect, test } from 'vitest'
import { ranked, rankOf } from './ranking.ts'

const by = (typed: string, ...titles: string[]) => ranked(titles, (title) => rankOf(typed, title))

test('what begins with what was typed comes first, then beginnings of words, then the rest', () => {
  expect(by('port', 'Support', 'Open port', 'Port 8080')).toEqual(['Port 8080', 'Open port', 'Support'])
})

test('every word must be there, in any order', () => {
  expect(by('jobs lost', 'Lost jobs', 'Lost keys', 'Jobs')).toEqual(['Lost jobs'])
})

test('nothing typed keeps everything as it was', () => {
  expect(by('', 'b', 'a')).toEqual(['b', 'a'])
})

test('what stands beside the title counts less than the title', () => {
  const rows = [
    { title: 'Count the till', project: 'shop' },
    { title: 'Open the shop', project: 'till' }
  ]
  const found = ranked(rows, ({ title, project }) => rankOf('shop', title, project))
  expect(found.map(({ title }) => title)).toEqual(['Open the shop', 'Count the till'])
})

test('words joined by strokes and dots are found by each part', () => {
  expect(by('webhook', 'fix/payment-webhook')).toHaveLength(1)
  expect(rankOf('webhook', 'fix/payment-webhook')).toBeGreaterThan(rankOf('webhook', 'fixpaymentwebhook'))
})
