// Prints what the codecs of dsh's published migrations make of raw logs of format v2 or v3, a line of JSON each.
import { readFileSync } from 'node:fs'
import {
  RELEASED_V2_EVENT_DISPOSITIONS,
  releasedV2SessionFormatCodec,
  restoreReleasedV2Artifact
} from '@deepseek-ai/dsh-session-format-v1-to-v2'
import { releasedV3SessionFormatCodec, restoreReleasedV3Artifact } from '@deepseek-ai/dsh-session-format-v2-to-v3'

const known = new Set([...Object.keys(RELEASED_V2_EVENT_DISPOSITIONS), 'system/message'])

for (const file of process.argv.slice(2)) {
  let made
  try {
    const [head, ...rows] = readFileSync(file, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    const isSecond = head.version === 2
    const decoder = (isSecond ? releasedV2SessionFormatCodec : releasedV3SessionFormatCodec).createDecoder(
      head,
      'strict'
    )
    const events = []
    const context = { emitEvent: (event) => events.push(event), emitRun: (run) => events.push(...run.expand()) }
    for (const row of rows) decoder.decodeRow(row, context)
    const inherited = decoder.finish(context)
    const restore = isSecond ? restoreReleasedV2Artifact : restoreReleasedV3Artifact
    restore({ header: decoder.header, inheritedEventCount: inherited, events }, known)
    made = { parent: decoder.header.parentSession, inherited, events: events.length }
  } catch (error) {
    made = { refused: String(error) }
  }
  process.stdout.write(`${JSON.stringify(made)}\n`)
}
