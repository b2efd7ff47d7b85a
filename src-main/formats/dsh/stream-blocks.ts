import type { Json, JsonObject } from '#shared/model/records.ts'
import { asList, asObject, asString, indented } from '../json.ts'

export interface StreamBlock {
  readonly name: string
  readonly text: string
}

/** The stream of an answer or attempt as it came: runs of deltas put together, every other chunk by itself. */
export function streamBlocks(stream: Json | undefined): readonly StreamBlock[] {
  const blocks: { name: string; parts: string[] }[] = []
  const add = (name: string, text: string): void => {
    const last = blocks.at(-1)
    if (last?.name === name) last.parts.push(text)
    else blocks.push({ name, parts: [text] })
  }
  for (const record of asList(stream)) {
    const own = asObject(record)
    const texts = asList(own?.['texts'] ?? own?.['args'])
    const chunk = asObject(own?.['chunk'])
    const delta = chunk === null ? null : deltaOf(chunk)
    if (own !== null && texts.length > 0) {
      for (const text of texts) add(nameOf(own, asString(own['type']) ?? ''), asString(text) ?? '')
    } else if (chunk !== null && delta !== null) add(nameOf(chunk, asString(chunk['type']) ?? ''), delta)
    else
      blocks.push({
        name: `stream: ${asString((chunk ?? own)?.['type']) ?? 'unknown'}`,
        parts: [indented(chunk ?? record)]
      })
  }
  return blocks.map(({ name, parts }) => ({ name, text: parts.join('') }))
}

const nameOf = ({ index = null }: JsonObject, type: string): string =>
  `stream: ${type.replace(/-(?:chunks|delta)$/, '')} ${String(index)}`

function deltaOf(chunk: JsonObject): string | null {
  const isDelta = asString(chunk['type'])?.endsWith('-delta') === true
  return isDelta ? (asString(chunk['text']) ?? asString(chunk['argumentsDelta'])) : null
}
