import { relative } from 'node:path'
import type { Fault } from '#shared/model/fault.ts'
import type { Session, SessionRow } from '#shared/model/session.ts'
import { costText, countOf, countText, timeText } from './amounts.ts'
import { defineCommand } from './command.ts'
import type { Look } from './look.ts'
import { openFolder } from './open-folder.ts'
import { sessionInput } from './open-session.ts'
import { fit, plainText } from './plain-text.ts'
import { faultLines, section } from './session-text.ts'
import { table } from './table.ts'

export const list = defineCommand({
  name: 'list',
  operand: 'FOLDER',
  synopsis: 'list FOLDER',
  about: 'the sessions in a folder, newest first',
  options: {},
  prepare:
    (_values, operand = '') =>
    async (desk) => {
      const { client, folder, sessions } = await openFolder(desk, operand)
      const faults: Fault[] = [...folder.faults]
      for (const { key } of sessions.filter((session) => session.faults > 0)) {
        faults.push(...(await client.call('session.faults', sessionInput(desk, key), desk.signal)))
      }
      return {
        value: { sessions: sessions.map(printed), faults },
        lines: (look) => listLines(folder, sessions, faults, look)
      }
    }
})

/** A session without what only the window needs. */
export function printed({
  key: _key,
  folder: _folder,
  revision: _revision,
  bytes: _bytes,
  ...session
}: SessionRow): Session {
  return session
}

function* listLines(
  folder: { readonly path: string; readonly files: number; readonly lookedFor: readonly string[] },
  sessions: readonly Session[],
  faults: readonly Fault[],
  look: Look
): Generator<string> {
  if (sessions.length === 0) {
    yield `No session in ${plainText(folder.path)}: looked at ${countOf(folder.files, 'file')} for ${folder.lookedFor.join('; ')}.`
  }
  const rows = sessions.map((session) => [
    timeText(session.updatedAt),
    session.agent,
    countOf(session.entries, 'entry', 'entries'),
    countOf(session.leaves, 'leaf', 'leaves'),
    `${countText(session.usage.total)} tokens`,
    costText(session.usage.cost),
    session.faults === 0 ? '' : countOf(session.faults, 'fault'),
    plainText(session.title ?? 'Untitled session')
  ])
  let at = 0
  for (const line of table(rows, [2, 3, 4, 5, 6])) {
    const session = sessions[at++]
    yield fit(line, look.columns)
    if (session !== undefined) yield look.paint('dim', `  ${plainText(relative(folder.path, session.file))}`)
  }
  if (faults.length > 0) yield* section(countOf(faults.length, 'fault'), faultLines(faults, look, folder.path), look)
}
