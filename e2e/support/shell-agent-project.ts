import { cpSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Home } from './home.ts'

const fixtures = resolve(import.meta.dirname, '../../src-main/formats/shell-agent/fixtures')

/** Puts the shell agent's sessions into a home, and gives the folder of their project. */
export function makeProject(home: Home): string {
  const project = join(home.path, '.bash-agent/projects/-home-me-notes')
  cpSync(fixtures, project, { recursive: true })
  return project
}
