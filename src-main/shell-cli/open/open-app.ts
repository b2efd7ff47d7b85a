import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { hasDisplay } from '#main/platform/has-display.ts'
import { requireWorkingFolder } from '#main/platform/working-folder.ts'
import { chooseShell, type ShellChoice } from './choose-shell.ts'
import { electronBinary } from './electron-binary.ts'
import { openArguments, parseOpenRequest, type OpenRequest } from './open-request.ts'
import { reportFailure } from './report-failure.ts'

/** Chooses a shell and runs it until its last window closes. `root` holds `package.json` and the build in `out`. Returns the exit code. */
export async function openApp(argv: readonly string[], cwd: string | null, root: string): Promise<number> {
  const json = argv.includes('--json')
  let request: OpenRequest | undefined
  try {
    request = parseOpenRequest(argv, requireWorkingFolder(cwd))
    const choice = await chooseShell(request, {
      display: hasDisplay(process.env, process.platform),
      findElectron: (insist) => electronBinary(root, insist, (text) => process.stderr.write(text))
    })
    return await run(choice, request, root)
  } catch (error) {
    return reportFailure(error, request?.path ?? null, json)
  }
}

async function run(choice: ShellChoice, request: OpenRequest, root: string): Promise<number> {
  if (choice.kind === 'browser') return runHere(choice.why, request, root)
  const code = await runElectron(choice.binary, choice.why, request, root)
  if (code !== cannotStart || request.shell === 'electron') return code
  return runHere("Electron's binary does not start here", request, root)
}

/** The loader's exit code where a library that the binary needs is missing. */
const cannotStart = 127

async function runElectron(binary: string, why: string, request: OpenRequest, root: string): Promise<number> {
  // Chromium refuses to sandbox what root runs.
  const isRoot = process.getuid?.() === 0
  const reason = isRoot ? `${why}; without its sandbox because you are root` : why
  const args = [...(isRoot ? ['--no-sandbox'] : []), root, ...openArguments({ ...request, why: reason })]
  const { ELECTRON_RUN_AS_NODE: _, ...env } = process.env
  const child = spawn(binary, args, { stdio: 'inherit', env })
  const forward = (signal: NodeJS.Signals) => child.kill(signal)
  process.on('SIGINT', forward).on('SIGTERM', forward)
  const [code] = (await once(child, 'exit')) as [number | null]
  process.off('SIGINT', forward).off('SIGTERM', forward)
  return code ?? 1
}

/** The browser shell is plain Node: it runs in this process, so that there is none to wait for. It ends the process itself. */
async function runHere(why: string, request: OpenRequest, root: string): Promise<never> {
  const entry = join(root, 'out', 'main', 'browser.js')
  process.argv.splice(1, Infinity, entry, ...openArguments({ ...request, why }))
  await import(pathToFileURL(entry).href)
  return new Promise<never>(() => {})
}
