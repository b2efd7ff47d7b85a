import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { JsonObject } from '#shared/model/records.ts'
import { readPath } from '../testing.ts'
import { dsh } from './index.ts'
import * as log from './log-testing.ts'
import { projectFolder } from './session-folder.ts'

let root: string
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'treeline-test-')))
})
afterEach(() => rmSync(root, { recursive: true }))

const own = { id: 'made', cwd: '/home/user/project' }

function write(name: string, header: JsonObject = own): string {
  const path = join(root, name)
  mkdirSync(dirname(path), { recursive: true })
  const { cwd, ...rest } = log.headerOf(0)
  writeFileSync(path, log.logText({ ...rest, ...(header['cwd'] === undefined ? {} : { cwd: cwd! }), ...header }, []))
  return path
}

async function faultsOf(path: string): Promise<readonly (readonly [string, string])[]> {
  const { lines, tree } = await readPath(dsh, path, 'dsh')
  return [...lines.flatMap(({ faults }) => faults), ...tree.faults].map(({ kind, message }) => [kind, message])
}

const misplaced = (lies: string, belongs: string) => [
  'misplaced',
  expect.stringMatching(new RegExp(` in ${lies}; dsh looks for it in ${belongs}, `))
]

test.each([
  ['/home/user/project', '--home-user-project--'],
  ['/home/me/a-b_c.d', '--home-me-a-b_c.d--'],
  ['/home/me/My Shop~é😀', '--home-me-My~0020Shop~007E~00E9~D83D~DE00--'],
  ['C:\\Users\\me//x', '--C-Users-me-x--'],
  ['/-/x/', '--x---'],
  ['/', '--root--'],
  [`/${'a'.repeat(250)}é`, `--${'a'.repeat(250)}~--`],
  [null, '_no-cwd']
])('sessions of %s lie in %s', (cwd, name) => {
  expect(projectFolder(cwd)).toBe(name)
})

test.each<[string, JsonObject]>([
  ['--home-user-project--/made', own],
  ['_no-cwd/made', { id: 'made' }],
  ['_no-cwd/a~002Fb~007E', { id: 'a/b~' }],
  ['_no-cwd/~002E~002E', { id: '..' }],
  ['_no-cwd/...', { id: '...' }]
])('in %s a log of that id and directory is where it should be', async (folder, header) => {
  expect(await faultsOf(write(`${folder}/session.jsonl`, header))).toEqual([])
})

test.each<[string, JsonObject, string]>([
  ['--home-user-project--/other', own, '--home-user-project--/made'],
  ['--home-user-other--/made', own, '--home-user-project--/made'],
  ['_no-cwd/made', own, '--home-user-project--/made'],
  ['--home-user-project--/made', { id: 'made' }, '_no-cwd/made'],
  ['_no-cwd/..evil', { id: '../evil' }, '_no-cwd/..~002Fevil'],
  ['--home-user-project--/MADE', own, '--home-user-project--/made']
])('in %s a log of another id or directory is a fault of its header', async (folder, header, belongs) => {
  const path = write(`${folder}/session.jsonl`, header)
  expect(await faultsOf(path)).toEqual([misplaced(folder, belongs)])
  const { lines } = await readPath(dsh, path)
  expect(lines[0]).toMatchObject({ class: 'header', faults: [{ line: 1, offset: 0, length: lines[0]!.length }] })
})

test('a copy outside of any project is told by its own folder alone', async () => {
  expect(await faultsOf(write('copies/made/session.jsonl'))).toEqual([])
  expect(await faultsOf(write('copies/yesterday/session.jsonl'))).toEqual([misplaced('yesterday', 'made')])
  expect(await faultsOf(write('copies/yesterday/export.jsonl'))).toEqual([])
})

test('a folder that is the proper one by another name is no fault', async () => {
  const path = write('--home-user-project--/Made/session.jsonl')
  symlinkSync(dirname(path), join(root, '--home-user-project--/made'))
  expect(await faultsOf(path)).toEqual([])
})

test('an id that two projects have is told of both, links and empty folders left out', async () => {
  const first = write('--home-user-project--/made/session.jsonl')
  mkdirSync(join(root, '--empty--', 'made'), { recursive: true })
  symlinkSync(join(root, '--home-user-project--'), join(root, '--link--'))
  expect(await faultsOf(first)).toEqual([])
  const second = write('--srv--/made/session.v3.jsonl', { ...own, version: 3, cwd: '/srv', isSeeded: false })
  expect(await faultsOf(first)).toEqual([['duplicate-id', expect.stringContaining('in --srv--.')]])
  expect(await faultsOf(second)).toEqual([['duplicate-id', expect.stringContaining('in --home-user-project--.')]])
})
