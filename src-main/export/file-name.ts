import { basename, extname } from 'node:path'
import type { ExportAs } from '#shared/contract/export.ts'
import { Refusal } from '#shared/contract/refusal.ts'

const longest = 255
// eslint-disable-next-line no-control-regex
const forbidden = /[/\\:*?"<>|\u0000-\u001f\u007f]/

/** A name that stands for a file in the chosen folder on every system, and nowhere else. Refused as `invalid-input`. */
export function plainFileName(name: string): string {
  const plain = name !== '' && !/^\.+$/.test(name) && !/[. ]$/.test(name) && !forbidden.test(name)
  if (plain && Buffer.byteLength(name) <= longest) return name
  throw new Refusal(
    'invalid-input',
    `${JSON.stringify(name)} is no file name. Use letters, digits, spaces, dots and dashes.`
  )
}

const endings = { jsonl: null, normalized: '.normalized.jsonl', markdown: '.md', html: '.html' } as const

/**
 * The source's own name, with the entry where only a path is exported, and with what it is where it is no copy. What was
 * compressed is exported as the lines in it, and a path is lines whatever its source is.
 */
export function proposedName(file: string, entry: string | null, as: ExportAs, redact: boolean): string {
  const name = basename(file).replace(/(?<=.\.jsonl)\.zstd?$/, '')
  const extension = extname(name)
  const stem = basename(name, extension)
  const tail = entry === null ? '' : `-${entry.replaceAll(/[^A-Za-z0-9._-]+/g, '-').slice(0, 40)}`
  const ending = endings[as] ?? (entry === null ? extension : '.jsonl')
  return `${stem.slice(0, 180)}${tail}${redact ? '.redacted' : ''}${ending}`
}
