import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The version in the `package.json` of the folder that the app runs from. */
export function appVersion(root: string): string {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly version: string }
  return version
}
