import { commandOf, runNode } from './run.ts'

const projects = ['shared', 'main', 'preload', 'renderer', 'e2e']

const checks: Readonly<Record<string, readonly string[]>> = {
  oxlint: [commandOf('oxlint')],
  oxfmt: [commandOf('oxfmt'), '--check'],
  ...Object.fromEntries(
    projects.map((project) => [`tsc ${project}`, [commandOf('typescript', 'tsc'), '-p', `tsconfig.${project}.json`]])
  ),
  knip: [commandOf('knip')],
  security: ['tools/security-check.ts']
}

/** Runs all static checks side by side and prints one line for each, with its output where it fails; gives the number that failed. */
export async function runChecks(): Promise<number> {
  const outcomes = await Promise.all(
    Object.entries(checks).map(async ([name, args]) => {
      const started = performance.now()
      const { ok, output } = await runNode(args, 'later')
      const seconds = ((performance.now() - started) / 1000).toFixed(1)
      console.log(ok ? `ok      ${name} (${seconds} s)` : `FAILED  ${name}\n${output.trim()}\n`)
      return ok
    })
  )
  return outcomes.filter((ok) => !ok).length
}
