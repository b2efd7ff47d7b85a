import { homedir } from 'node:os'
import { join } from 'node:path'

/** The folder in which codelia keeps its sessions, in either layout (docs/formats/codelia.md, "Places"). */
export function sessionsFolder(
  env: Readonly<Record<string, string | undefined>> = process.env,
  home: string = homedir()
): string {
  if (env['CODELIA_LAYOUT']?.toLowerCase() !== 'xdg') return join(home, '.codelia', 'sessions')
  return join(env['XDG_STATE_HOME'] ?? join(home, '.local', 'state'), 'codelia', 'sessions')
}
