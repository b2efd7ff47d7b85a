import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { root } from './run.ts'

const runner = join(root, 'tools', 'node.mjs')
const run = (...args: string[]) => promisify(execFile)(process.execPath, args, { cwd: root })

/** Makes a process say that it is another Node. */
const pretending = (version: string) =>
  `--import=data:text/javascript,Object.defineProperty(process,"versions",{value:{node:"${version}"}})`

test.each(['20.20.2', '22.14.0'])('Node %s is told in one line what to do', async (version) => {
  const error = await run(pretending(version), runner, 'build').catch((caught: unknown) => caught)
  expect(error).toMatchObject({ code: 1, stdout: '' })
  const { stderr } = error as { readonly stderr: string }
  expect(stderr).toMatch(/^Treeline needs Node 22\.15 or later and found .+: run .+\.\n$/)
})

test('a Node that runs TypeScript only when told to runs the tools', async () => {
  const { stdout } = await run('--no-experimental-strip-types', runner, 'security-rules')
  expect(stdout).toBe('')
})
