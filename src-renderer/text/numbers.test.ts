import { expect, test } from 'vitest'
import { formatBytes, formatCost, formatCount, formatShare, formatTokens, plural } from './numbers.ts'

test('tokens are short and never claim more than they know', () => {
  expect([0, 950, 999, 1000, 31_800, 99_949, 99_950, 170_400, 999_499, 999_500, 1_234_567].map(formatTokens)).toEqual([
    '0',
    '950',
    '999',
    '1.0k',
    '31.8k',
    '99.9k',
    '100k',
    '170k',
    '999k',
    '1.0M',
    '1.2M'
  ])
})

test('tokens half way between two short forms take the larger one', () => {
  expect([1949, 1950, 2550, 8350, 1_949_999, 1_950_000].map(formatTokens)).toEqual([
    '1.9k',
    '2.0k',
    '2.6k',
    '8.4k',
    '1.9M',
    '2.0M'
  ])
})

test('what is not known is unknown, never nought', () => {
  expect([formatTokens(null), formatBytes(null), formatCost(null), formatCount(null)]).toEqual(
    Array.from({ length: 4 }, () => 'unknown')
  )
})

test('sizes take the unit that leaves few digits', () => {
  expect([512, 999, 1000, 2330, 999_949, 999_950, 104_857_600, 5.2e12].map(formatBytes)).toEqual([
    '512 B',
    '999 B',
    '1.0 kB',
    '2.3 kB',
    '999.9 kB',
    '1.0 MB',
    '104.9 MB',
    '5.2 TB'
  ])
})

test('small sums of money keep four digits', () => {
  expect([0, 0.0486, 0.41, 12.4].map(formatCost)).toEqual(['$0.00', '$0.0486', '$0.41', '$12.40'])
})

test('what is too little to be shown is not nought', () => {
  expect([0.000_01, 0.000_049, 0.000_05].map(formatCost)).toEqual(['< $0.0001', '< $0.0001', '$0.0001'])
  expect([30 / 128_000, 0.0005, 0.0094, 0.0096].map(formatShare)).toEqual(['< 0.1 %', '0.1 %', '0.9 %', '1 %'])
})

test('a share is all only where nothing is left', () => {
  expect([0, 0.004, 0.6412, 0.9949, 0.9999, 1].map(formatShare)).toEqual([
    '0 %',
    '0.4 %',
    '64 %',
    '99.4 %',
    '99.9 %',
    '100 %'
  ])
})

test('a count agrees with its noun', () => {
  expect([
    plural(1, 'leaf', 'leaves'),
    plural(3, 'leaf', 'leaves'),
    plural(0, 'fault'),
    plural(1204, 'session')
  ]).toEqual(['1 leaf', '3 leaves', '0 faults', '1,204 sessions'])
})
