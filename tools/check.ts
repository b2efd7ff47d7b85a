import { runChecks } from './run-checks.ts'

process.exitCode = (await runChecks()) === 0 ? 0 : 1
