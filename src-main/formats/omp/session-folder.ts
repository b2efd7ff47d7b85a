import { realpathSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { isAbsolute, join, relative, resolve } from 'node:path'

/** The folder in which omp keeps the sessions of a project. */
export function sessionFolder(
  cwd: string,
  env: Readonly<Record<string, string | undefined>> = process.env,
  home: string = homedir(),
  temporary: string = tmpdir()
): string {
  const own = (env['PI_CODING_AGENT_DIR'] ?? '').replace(/^~(?=$|[\\/])/, home)
  const agent = own === '' ? join(home, '.omp', 'agent') : own
  return join(agent, 'sessions', projectName(realPath(cwd), realPath(home), realPath(temporary)))
}

function projectName(cwd: string, home: string, temporary: string): string {
  const encoded = (path: string) => path.replace(/[\\/:]/g, '-')
  const belowHome = wayDown(home, cwd)
  if (belowHome !== null) return `-${encoded(belowHome)}`
  const belowTemporary = wayDown(temporary, cwd)
  if (belowTemporary !== null) return belowTemporary === '' ? '-tmp' : `-tmp-${encoded(belowTemporary)}`
  return `--${encoded(cwd.replace(/^[\\/]/, ''))}--`
}

function wayDown(from: string, to: string): string | null {
  const way = relative(from, to)
  return way.startsWith('..') || isAbsolute(way) ? null : way
}

function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return resolve(path)
  }
}
