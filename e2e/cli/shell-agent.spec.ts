import { execFile } from 'node:child_process'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from '@playwright/test'
import { makeHome } from '#e2e/support/home.ts'
import { makeProject } from '#e2e/support/shell-agent-project.ts'

const cli = resolve(import.meta.dirname, '../../out/main/cli.js')

test('a directory of the shell agent is listed, shown, replayed and forked by the built command line', async () => {
  using home = makeHome()
  const project = makeProject(home)
  const treeline = async (...argv: readonly string[]) => {
    const options = { cwd: project, env: { PATH: process.env['PATH'], HOME: home.path } }
    const { stdout } = await promisify(execFile)(process.execPath, [cli, ...argv, '--json'], options)
    return JSON.parse(stdout)
  }
  expect((await treeline('list', home.path)).sessions).toHaveLength(5)
  const source = '20260203-101500-aa01'
  expect((await treeline('show', source)).defaultLeaf).toEqual({ id: 'c4', reason: 'only-leaf' })
  const { events } = await treeline('replay', join(source, 'conversation.jsonl'), '--turns', '1')
  expect(events.map(({ kind }: { kind: string }) => kind)).toEqual([
    'user',
    'thinking',
    'text',
    'tool-call',
    'tool-result',
    'text'
  ])
  const { file } = await treeline('branch', source, '--entry', 'c4')
  const { session } = await treeline('show', file)
  expect(session).toMatchObject({
    origin: 'fork',
    parent: { id: source, file: join(project, source, 'conversation.jsonl') }
  })
})
