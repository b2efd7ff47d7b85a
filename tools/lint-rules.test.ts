import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { commandOf, root } from './run.ts'

type Sources = Readonly<Record<string, string>>

const importing = (name: string) => `import { thing } from '${name}'\nexport const own = thing\n`

/** File, and what it must not import. */
const forbiddenImports: readonly (readonly [string, string])[] = [
  ['src-shared/tree/a.ts', '#main/platform/thing.ts'],
  ['src-shared/tree/b.ts', '#renderer/text/thing.ts'],
  ['src-shared/tree/c.ts', 'node:fs'],
  ['src-shared/tree/d.ts', 'react'],
  ['src-shared/tree/e.ts', 'electron'],
  ['src-shared/tree/f.test.ts', '#main/platform/thing.ts'],
  ['src-main/platform/a.ts', '#main/tail/thing.ts'],
  ['src-main/platform/b.ts', 'electron'],
  ['src-main/platform/c.ts', 'node:http'],
  ['src-main/tail/a.ts', '#main/formats/format.ts'],
  ['src-main/formats/a.ts', '#main/index/thing.ts'],
  ['src-main/formats/d.ts', 'better-sqlite3'],
  ['src-main/formats/codelia/a.ts', 'better-sqlite3'],
  ['src-main/formats/omp/a.ts', '#main/formats/codex/thing.ts'],
  ['src-main/formats/omp/b.ts', '../codex/thing.ts'],
  ['src-main/formats/b.ts', '../tail/line.ts'],
  ['src-main/formats/omp/c.ts', '../../tail/line.ts'],
  ['src-main/index/a.ts', '#main/formats/format.ts'],
  ['src-main/index/b.ts', '#main/engine/thing.ts'],
  ['src-main/watch/a.ts', '#main/index/thing.ts'],
  ['src-main/context/a.ts', '#main/usage/thing.ts'],
  ['src-main/usage/a.ts', '#main/index/thing.ts'],
  ['src-main/compaction/a.ts', '#main/engine/thing.ts'],
  ['src-main/write/a.ts', '#main/export/thing.ts'],
  ['src-main/verify/a.ts', '#main/shell-cli/thing.ts'],
  ['src-main/export/a.ts', 'ws'],
  ['src-main/engine/a.ts', '#main/shell-browser/thing.ts'],
  ['src-main/engine/b.ts', 'better-sqlite3'],
  ['src-main/engine/c.ts', 'react'],
  ['src-main/shell-cli/a.ts', '#main/index/thing.ts'],
  ['src-main/shell-cli/b.ts', 'ws'],
  ['src-main/shell-browser/a.ts', '#main/shell-electron/thing.ts'],
  ['src-main/shell-browser/b.ts', 'electron'],
  ['src-main/shell-electron/a.ts', '#main/formats/registry.ts'],
  ['src-main/shell-electron/b.ts', 'node:http'],
  ['src-main/worker.ts', '#main/index/thing.ts'],
  ['src-main/browser.ts', 'electron'],
  ['src-main/preload.ts', '#shared/rpc/channel.ts'],
  ['src-renderer/text/a.ts', '#renderer/state/thing.ts'],
  ['src-renderer/text/b.ts', 'react'],
  ['src-renderer/components/a.ts', '#renderer/state/thing.ts'],
  ['src-renderer/components/b.ts', '#renderer/views/tree/thing.ts'],
  ['src-renderer/state/a.ts', '#renderer/views/tree/thing.ts'],
  ['src-renderer/state/b.ts', '#main/engine/types.ts'],
  ['src-renderer/components/tree/containers.ts', '#renderer/containers/block/thing.ts'],
  ['src-renderer/containers/block/a.ts', '#renderer/views/library/thing.ts'],
  ['src-renderer/views/tree/a.ts', '#renderer/views/library/thing.ts'],
  ['src-renderer/views/tree/b.ts', '../library/thing.ts'],
  ['src-renderer/views/tree/c.ts', '#renderer/app/thing.ts'],
  ['src-renderer/app/a.ts', 'node:fs'],
  ['src-renderer/main.ts', '#renderer/views/tree/thing.ts'],
  ['e2e/support/a.ts', '#main/engine/types.ts']
]

const allowedImports: readonly (readonly [string, string])[] = [
  ['src-shared/rpc/good.ts', '#shared/contract/contract.ts'],
  ['src-shared/rpc/good-package.ts', 'valibot'],
  ['src-main/platform/good.ts', 'node:fs'],
  ['src-main/tail/good.ts', '#main/platform/thing.ts'],
  ['src-main/formats/omp/good.ts', '#main/formats/format.ts'],
  ['src-main/formats/omp/good-tail.ts', '#main/tail/line.ts'],
  ['src-main/formats/registry.ts', './omp/index.ts'],
  ['src-main/formats/omp/good-up.ts', '../format.ts'],
  ['src-main/index/good.ts', 'better-sqlite3'],
  ['src-main/formats/codelia/state-db.ts', 'better-sqlite3'],
  ['src-main/export/good.ts', '#main/formats/format.ts'],
  ['src-main/engine/good.ts', '#main/export/thing.ts'],
  ['src-main/engine/reader/good.ts', '#main/engine/types.ts'],
  ['src-main/shell-browser/good.ts', 'ws'],
  ['src-main/shell-browser/good-http.ts', 'node:http'],
  ['src-main/shell-browser/good-name.ts', './ws'],
  ['src-main/shell-electron/good.ts', 'electron'],
  ['src-main/electron.ts', '#main/shell-electron/thing.ts'],
  ['src-main/cli.ts', '#main/shell-cli/thing.ts'],
  ['src-main/index/good.test.ts', '#main/formats/format.ts'],
  ['src-renderer/text/good.ts', '#shared/model/usage.ts'],
  ['src-renderer/components/good.ts', '#renderer/text/thing.ts'],
  ['src-renderer/state/good.ts', '#shared/rpc/client.ts'],
  ['src-renderer/containers/block/good.ts', '#renderer/state/thing.ts'],
  ['src-renderer/views/tree/good.ts', '#renderer/state/thing.ts'],
  ['src-renderer/views/tree/contained.ts', '#renderer/containers/block/thing.ts'],
  ['src-renderer/app/good.ts', '#renderer/views/tree/thing.ts'],
  ['e2e/browser-shell/good.ts', '#e2e/support/launch.ts']
]

/** Rule, and a file that breaks it. */
const bad: readonly (readonly [string, string, string])[] = [
  ['import(no-cycle)', 'src-shared/rpc/egg.ts', `import { hen } from './hen.ts'\nexport const egg = () => hen\n`],
  [
    'import(no-cycle)',
    'src-shared/rpc/hen.ts',
    `import { egg } from '#shared/rpc/egg.ts'\nexport const hen = () => egg\n`
  ],
  ['import(no-default-export)', 'src-main/tail/default.ts', 'export default 1\n'],
  [
    'react(no-danger)',
    'src-renderer/views/tree/Danger.tsx',
    'export const Danger = () => <p dangerouslySetInnerHTML={{ __html: "" }} />\n'
  ],
  ['eslint(no-eval)', 'src-main/tail/eval.ts', `export const one = () => eval('1')\n`],
  ['eslint(no-new-func)', 'src-main/tail/function.ts', `export const one = () => new Function('return 1')\n`],
  ['eslint(no-implied-eval)', 'src-renderer/app/implied.ts', `export const later = () => setTimeout('one()', 1)\n`],
  ['eslint(no-console)', 'src-renderer/app/console.ts', 'export const say = () => console.log(1)\n'],
  ['eslint(eqeqeq)', 'src-main/tail/equal.ts', 'export const same = (a: string, b: string) => a == b\n'],
  ['typescript(no-explicit-any)', 'src-main/tail/any.ts', 'export const own = (given: any) => given\n'],
  ['typescript(no-non-null-assertion)', 'src-main/tail/non-null.ts', 'export const own = (given?: string) => given!\n'],
  [
    'typescript(consistent-type-imports)',
    'src-main/tail/type.ts',
    `import { Line } from './line.ts'\nexport const own = (line: Line) => typeof line\n`
  ],
  ['typescript(ban-ts-comment)', 'src-main/tail/comment.ts', '// @ts-ignore\nexport const own = 1\n'],
  ['eslint(no-unused-vars)', 'src-main/tail/unused.ts', 'const own = 1\nexport {}\n']
]

const good: Sources = {
  'src-main/tail/non-null.test.ts': 'export const own = (given?: string) => given!\n',
  'src-main/tail/console.ts': 'export const say = () => console.log(1)\n'
}

interface Report {
  readonly diagnostics: readonly { readonly code: string; readonly filename: string }[]
}

const folder = mkdtempSync(join(tmpdir(), 'treeline-lint-'))
afterAll(() => rmSync(folder, { recursive: true }))

function lint(sources: Sources): Report['diagnostics'] {
  for (const [name, source] of Object.entries(sources)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), source)
  }
  for (const name of ['oxlint.config.ts', 'package.json']) copyFileSync(join(root, name), join(folder, name))
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  const { stdout } = spawnSync(
    process.execPath,
    [commandOf('oxlint'), '--format=json', 'src-shared', 'src-main', 'src-renderer', 'e2e'],
    {
      cwd: folder,
      encoding: 'utf8'
    }
  )
  return (JSON.parse(stdout) as Report).diagnostics
}

let diagnostics: Report['diagnostics']
const codesOf = (file: string) => diagnostics.filter(({ filename }) => filename === file).map(({ code }) => code)

beforeAll(() => {
  diagnostics = lint({
    ...Object.fromEntries([...forbiddenImports, ...allowedImports].map(([file, name]) => [file, importing(name)])),
    ...Object.fromEntries(bad.map(([, file, source]) => [file, source])),
    ...good
  })
})

describe('an import against the directions is an error', () => {
  test.each(forbiddenImports)('%s must not import %s', (file) => {
    expect(codesOf(file)).toEqual(['eslint(no-restricted-imports)'])
  })
})

describe('an import along the directions passes', () => {
  test.each(allowedImports)('%s may import %s', (file) => {
    expect(codesOf(file)).toEqual([])
  })
})

describe('each rule bites', () => {
  test.each(bad)('%s in %s', (code, file) => {
    expect(codesOf(file)).toContain(code)
  })
  test.each(Object.keys(good))('%s passes', (file) => {
    expect(codesOf(file)).toEqual([])
  })
})
