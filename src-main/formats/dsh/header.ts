import type { FaultKind } from '#shared/model/fault.ts'
import type { JsonObject } from '#shared/model/records.ts'
import { oneLine } from '../cut.ts'
import { asString } from '../json.ts'
import { integer } from './event.ts'
import { embeddedStreams, type Header, newestVersion } from './schema.ts'

const members: ReadonlySet<string> = new Set([
  'type',
  'version',
  'id',
  'createdAt',
  'cwd',
  'parentSession',
  'origin',
  'delegationDepth',
  'agentPreset'
])

/** A session's header, of whichever generation; null for any other object. Those of pi and omp have no such `createdAt`. */
export function headerOf(line: JsonObject): Header | null {
  const version = integer(line['version'])
  const id = asString(line['id'])
  const createdAt = integer(line['createdAt'])
  if (line['type'] !== 'session' || version === null || version < 0 || id === null || createdAt === null) return null
  return {
    version,
    id,
    createdAt,
    cwd: asString(line['cwd']),
    parent: asString(line['parentSession']),
    seedLength: version < embeddedStreams ? Math.max(0, integer(line['seedLength']) ?? 0) : 0,
    isSeeded: line['isSeeded'] === true,
    isSubagent: line['origin'] === 'subagent',
    preset: asString(line['agentPreset'])
  }
}

/** What dsh would refuse of a header; `named` is the generation that the file's name says. */
export function headerFaults(
  line: JsonObject,
  { version }: Header,
  named: number | null
): readonly (readonly [FaultKind, string])[] {
  const own = version < embeddedStreams ? 'seedLength' : 'isSeeded'
  const others = Object.keys(line).filter((name) => name !== own && !members.has(name))
  return [
    ...(version > newestVersion
      ? [
          [
            'unknown-version',
            `This is version ${version} of the format; the newest known one is ${newestVersion}.`
          ] as const
        ]
      : []),
    ...(named !== null && named !== version
      ? [['unknown-version', `The file's name says version ${named}, its header version ${version}.`] as const]
      : []),
    ...(others.length > 0
      ? [
          [
            'unknown-type',
            `The header has members that dsh does not know: ${oneLine(others.join(', '), 100)}.`
          ] as const
        ]
      : [])
  ]
}
