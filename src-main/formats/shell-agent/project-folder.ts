import { realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { projectsFolder } from './locate.ts'

/** The folder in which the agent makes a project's sessions (docs/formats/shell-agent.md, "Places"). */
export const projectFolder = (cwd: string): string =>
  join(projectsFolder(process.env, homedir()), projectKey(physicalPath(cwd)))

/** Without links; a folder that is not there has its path as it is named. */
function physicalPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return resolve(path)
  }
}

/** What is no letter, digit, `.`, `_` or `-` becomes `-`, one for several; one in front and none at the end. */
const projectKey = (path: string): string =>
  `-${path
    .replaceAll(/[^A-Za-z0-9._-]/g, '-')
    .replaceAll(/-+/g, '-')
    .replaceAll(/^-|-$/g, '')}`
