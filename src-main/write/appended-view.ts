import type { Format, SessionView } from '#main/formats/format.ts'
import { linesIn } from '#main/tail/split-lines.ts'
import type { JsonObject } from '#shared/model/records.ts'

/** A session as it is once a text of whole lines stands at the end of its main file. */
export function appendedView(format: Format, view: SessionView, text: string): SessionView {
  const { records } = view
  const [main, ...others] = records.files
  const reader = format.reader(records.files, main.state)
  const bytes = Buffer.from(text)
  const lastLine = records.entries.findLast(({ file }) => file === 0)?.line ?? 0
  const added = [...linesIn(bytes)].flatMap((line) => reader.read({ ...line, number: lastLine + line.number }).entries)
  const size = records.entries.length
  const objects = added.map(
    ({ bytes: [offset, length] }) => JSON.parse(bytes.toString('utf8', offset, offset + length)) as JsonObject
  )
  const files = [{ ...main, state: reader.state() }, ...others] as const
  const grown = { ...records, files, entries: [...records.entries, ...added] }
  return {
    records: grown,
    tree: format.assemble(grown),
    open: view.open,
    content: {
      async *objects(at, signal) {
        const stored = at.filter((index) => index < size)
        const read = view.content.objects(stored, signal)[Symbol.asyncIterator]()
        try {
          for (const index of at) {
            if (index >= size) yield objects[index - size] ?? null
            else {
              const next = await read.next()
              yield next.done === true ? null : next.value
            }
          }
        } finally {
          await read.return?.()
        }
      }
    }
  }
}
