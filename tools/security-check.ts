import { globSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { buildIfStale } from './build-if-stale.ts'
import { root } from './run.ts'
import { electronProblems, securityProblems } from './security-rules.ts'

await buildIfStale()

const paths = globSync(['src-*/**', 'out/{main,preload,renderer}/**'], { cwd: root }).filter(
  (path) => statSync(join(root, path)).isFile() && !/\.test\.tsx?$/.test(path)
)
const files = Object.fromEntries(
  paths.map((path) => [path.replaceAll('\\', '/'), readFileSync(join(root, path), 'utf8')])
)
const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly devDependencies: Readonly<Record<string, string>>
}

const problems = [...securityProblems(files), ...electronProblems(devDependencies['electron'], new Date())]
for (const problem of problems) console.error(problem)
process.exitCode = problems.length === 0 ? 0 : 1
