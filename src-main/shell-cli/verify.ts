import type { ByteLedger } from '#shared/contract/session.ts'
import type { Fault } from '#shared/model/fault.ts'
import { countOf, countText } from './amounts.ts'
import { defineCommand, type Desk } from './command.ts'
import { isFolder } from './is-folder.ts'
import type { Look } from './look.ts'
import { openFolder } from './open-folder.ts'
import { openSession, sessionInput } from './open-session.ts'
import { plainText } from './plain-text.ts'
import { faultLines, placeOf, section } from './session-text.ts'
import { table } from './table.ts'

interface Verdict {
  readonly files: number
  readonly findings: readonly Fault[]
  readonly bytes: ByteLedger
}

export const verify = defineCommand({
  name: 'verify',
  operand: 'FILE or FOLDER',
  synopsis: 'verify FILE|FOLDER',
  about: 'what is wrong in session files, and what every byte is',
  options: {},
  prepare:
    (_values, operand = '') =>
    async (desk) => {
      const verdict = (await isFolder(desk.resolve(operand)))
        ? await ofFolder(desk, operand)
        : await ofFile(desk, operand)
      const wrong = verdict.findings.filter(({ severity }) => severity !== 'info')
      const [first] = wrong
      return {
        value: verdict,
        lines: (look) => verdictLines(verdict, look),
        ...(first && { complaint: complaintOf(first, wrong.length) })
      }
    }
})

async function ofFile(desk: Desk, typed: string): Promise<Verdict> {
  const { client, about } = await openSession(desk, typed)
  return client.call('session.verify', about, desk.signal)
}

async function ofFolder(desk: Desk, typed: string): Promise<Verdict> {
  const { client, folder, sessions } = await openFolder(desk, typed)
  const findings: Fault[] = [...folder.faults]
  const bytes = { entries: 0, faults: 0, blank: 0, total: 0 }
  let files = 0
  for (const { key } of sessions) {
    const one = await client.call('session.verify', sessionInput(desk, key), desk.signal)
    files += one.files
    findings.push(...one.findings)
    bytes.entries += one.bytes.entries
    bytes.faults += one.bytes.faults
    bytes.blank += one.bytes.blank
    bytes.total += one.bytes.total
  }
  return { files, findings, bytes }
}

function complaintOf(first: Fault, count: number): string {
  const place = [plainText(first.file), placeOf(first)].filter((part) => part !== '').join(', ')
  const rest = count === 1 ? '' : ` (the first of ${count})`
  return `${place}: ${plainText(first.message)}${rest} "treeline show" lists all that can be read.`
}

function* verdictLines({ files, findings, bytes }: Verdict, look: Look): Generator<string> {
  yield* table(
    [
      ['files', countText(files)],
      ['bytes', countText(bytes.total)],
      ['  in entries', countText(bytes.entries)],
      ['  in faults', countText(bytes.faults)],
      ['  blank', countText(bytes.blank)]
    ],
    [1]
  )
  if (findings.length === 0) yield 'No fault.'
  else yield* section(countOf(findings.length, 'fault'), faultLines(findings, look, ''), look)
}
