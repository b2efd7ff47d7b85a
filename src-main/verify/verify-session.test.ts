import { expect, test } from 'vitest'
import type { FaultDraft, ReadFile } from '#shared/model/records.ts'
import { sessionFaults, verifySession } from './verify-session.ts'

const file = (path: string, size: number): ReadFile => ({
  path,
  role: 'log',
  framing: 'lines',
  size,
  length: size,
  modified: 0,
  state: {}
})
const files = [file('/s/a.jsonl', 30), file('/s/b.jsonl', 12)] as const

const fault = (kind: FaultDraft['kind'], line: number | null, offset: number | null = null): FaultDraft => ({
  kind,
  line,
  offset,
  length: null,
  entry: null,
  message: kind
})

test('faults stand by file, line and offset, each with its file and the severity of its kind', () => {
  const found = sessionFaults(
    files,
    [
      { ...fault('bom', 1), file: 1 },
      { ...fault('malformed-line', 7, 90), file: 0 },
      { ...fault('fused-lines', 7, 60), file: 0 }
    ],
    [fault('orphan-parent', 3), fault('missing-parent-session', null)],
    () => null
  )
  expect(found.map(({ kind, file: path, severity }) => [kind, path, severity])).toEqual([
    ['missing-parent-session', '/s/a.jsonl', 'info'],
    ['orphan-parent', '/s/a.jsonl', 'warning'],
    ['fused-lines', '/s/a.jsonl', 'warning'],
    ['malformed-line', '/s/a.jsonl', 'error'],
    ['bom', '/s/b.jsonl', 'info']
  ])
})

test('what a line shows is told of the entry on it', () => {
  const entryOnLine = (line: number, among: number) => (line === 2 ? `${among}a` : null)
  const ofLines = [
    { ...fault('lone-surrogate', 2), file: 0 },
    { ...fault('malformed-line', 3), file: 0 },
    { ...fault('lone-surrogate', 2), file: 1 }
  ]
  const found = sessionFaults(files, ofLines, [{ ...fault('cycle', 2), entry: 'a9' }], entryOnLine)
  expect(found.map(({ entry }) => entry)).toEqual(['a9', '0a', null, '1a'])
})

test('a ledger that does not add up to the files is a mistake of ours, not an answer', () => {
  const bytes = { entries: 30, faults: 10, blank: 2, total: 42 }
  expect(verifySession(files, [], bytes)).toEqual({ files: 2, findings: [], bytes })
  expect(() => verifySession(files, [], { ...bytes, blank: 1 })).toThrow(/a\.jsonl do not add up/)
  expect(() => verifySession(files, [], { entries: 30, faults: 0, blank: 0, total: 30 })).toThrow(/42 bytes/)
})
