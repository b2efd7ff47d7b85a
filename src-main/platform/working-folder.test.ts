import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { requireWorkingFolder } from './working-folder.ts'

/** What a process of its own, whose folder was removed, is told. */
function inRemovedFolder(env: NodeJS.ProcessEnv): unknown {
  const script = `
    import { mkdtempSync, rmdirSync } from 'node:fs'
    import { tmpdir } from 'node:os'
    import { join } from 'node:path'
    import { workingFolder } from ${JSON.stringify(join(import.meta.dirname, 'working-folder.ts'))}
    const folder = mkdtempSync(join(tmpdir(), 'treeline-test-'))
    process.chdir(folder)
    const before = workingFolder({})
    rmdirSync(folder)
    process.chdir('.')
    console.log(JSON.stringify([before === folder, workingFolder(${JSON.stringify(env)})]))`
  return JSON.parse(execFileSync(process.execPath, ['--input-type=module', '-e', script]).toString())
}

test('a folder that is gone is none, unless npm says where the person was', () => {
  expect(inRemovedFolder({})).toEqual([true, null])
  expect(inRemovedFolder({ INIT_CWD: '/home/user' })).toEqual([true, '/home/user'])
})

test('without a folder all is refused', () => {
  expect(requireWorkingFolder('/home/user')).toBe('/home/user')
  expect(() => requireWorkingFolder(null)).toThrow(expect.objectContaining({ code: 'not-found' }))
})
