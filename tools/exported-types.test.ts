import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execFileSync } from 'node:child_process'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { commandOf, root } from './run.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'treeline-types-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

/** What the compiler prints; nothing where it is content. */
function compile(...options: readonly string[]): string {
  try {
    return execFileSync(process.execPath, [commandOf('typescript', 'tsc'), ...options], {
      cwd: folder,
      encoding: 'utf8'
    })
  } catch (error) {
    return (error as { readonly stdout: string }).stdout
  }
}

test('a program with settings of its own compiles against the store APIs', () => {
  const packageFolder = join(folder, 'node_modules', 'treeline')
  mkdirSync(packageFolder, { recursive: true })
  copyFileSync(join(root, 'package.json'), join(packageFolder, 'package.json'))
  symlinkSync(join(root, 'src-shared'), join(packageFolder, 'src-shared'), 'junction')
  expect(compile('-p', join(root, 'tsconfig.api.json'), '--outDir', join(packageFolder, 'out', 'types'))).toBe('')
  writeFileSync(
    join(folder, 'program.mts'),
    `import { SessionStore as Runs } from 'treeline/codelia'
     import { Session } from 'treeline/dsh'
     import { SessionManager } from 'treeline/omp'
     import { SessionStore } from 'treeline/shell-agent'
     const id: string = SessionManager.inMemory('/srv/shop').appendMessage({ role: 'user', content: 'Hello' })
     SessionStore.open('/srv/shop').appendEvents({ type: 'text', content: id })
     export const all = [Runs, Session]
     // @ts-expect-error: the types are there, and not any.
     SessionStore.open(1)`
  )
  const types = ['--types', 'node', '--typeRoots', join(root, 'node_modules', '@types')]
  const options = ['--strict', '--noEmit', '--module', 'nodenext', '--target', 'es2024', '--ignoreConfig']
  expect(compile(...options, ...types, 'program.mts')).toBe('')
})
