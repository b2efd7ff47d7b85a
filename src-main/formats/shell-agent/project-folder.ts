import { realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

/** Where the agent keeps its projects' folders; `BASH_AGENT_HOME` stands in for the person's home. */
const projectsFolder = (env: Readonly<Record<string, string | undefined>>, home: string): string =>
  join(env['BASH_AGENT_HOME'] ?? home, '.bash-agent', 'projects')

/** The folder of a project's sessions; its name is made of the project's path and cannot be turned back. */
export function projectFolder(cwd: string): string {
  return join(projectsFolder(process.env, homedir()), projectKey(realpathSync(cwd)))
}

/** What is no letter, digit, `.`, `_` or `-` becomes `-`, one for several; one in front and none at the end. */
const projectKey = (path: string): string =>
  `-${path
    .replaceAll(/[^A-Za-z0-9._-]/g, '-')
    .replaceAll(/-+/g, '-')
    .replaceAll(/^-|-$/g, '')}`
