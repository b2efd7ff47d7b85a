import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildIfStale } from './build-if-stale.ts'
import { runChecks } from './run-checks.ts'
import { commandOf, runNode } from './run.ts'
import { watchFiles } from './unchanged-files.ts'

interface Count {
  readonly passed: number
  readonly failed: number
}

const reports = mkdtempSync(join(tmpdir(), 'treeline-test-'))

/** Runs a test runner that leaves a JSON report; a run that fails without a failed test counts as one. */
async function counted(
  args: readonly string[],
  report: string,
  env: NodeJS.ProcessEnv,
  read: (json: unknown) => Count
) {
  const { ok } = await runNode(args, 'at once', env)
  const count = readReport(report, read)
  return ok || count.failed > 0 ? count : { ...count, failed: 1 }
}

function readReport(report: string, read: (json: unknown) => Count): Count {
  try {
    return read(JSON.parse(readFileSync(report, 'utf8')))
  } catch {
    return { passed: 0, failed: 1 }
  }
}

function unitTests(): Promise<Count> {
  const report = join(reports, 'vitest.json')
  const args = [commandOf('vitest'), 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  return counted(args, report, {}, (json) => {
    const { numPassedTests, numFailedTests } = json as { numPassedTests: number; numFailedTests: number }
    return { passed: numPassedTests, failed: numFailedTests }
  })
}

async function built(): Promise<Count> {
  try {
    await buildIfStale()
    return { passed: 0, failed: 0 }
  } catch (error) {
    console.log(String(error))
    return { passed: 0, failed: 1 }
  }
}

function e2e(): Promise<Count> {
  const report = join(reports, 'playwright.json')
  const args = [commandOf('@playwright/test', 'playwright'), 'test', '--reporter=list,json']
  return counted(args, report, { PLAYWRIGHT_JSON_OUTPUT_FILE: report }, (json) => {
    const { stats } = json as { stats: { expected: number; flaky: number; unexpected: number } }
    return { passed: stats.expected + stats.flaky, failed: stats.unexpected }
  })
}

const findChanged = await watchFiles()
console.log('# Checks')
const checks = { passed: 0, failed: await runChecks() }
console.log('\n# Unit tests')
const units = await unitTests()
console.log('\n# Build')
const building = await built()
const counts = [checks, units, building]
if (building.failed === 0) {
  console.log('\n# In the browser')
  counts.push(await e2e())
}
rmSync(reports, { recursive: true })

const changed = await findChanged()
for (const file of changed) console.log(`A test has changed the session file ${file}`)
counts.push({ passed: changed.length === 0 ? 1 : 0, failed: changed.length })

const sum = (part: keyof Count) => counts.reduce((total, count) => total + count[part], 0)
console.log(`\n${sum('passed')} passed, ${sum('failed')} failed`)
process.exitCode = sum('failed') === 0 ? 0 : 1
