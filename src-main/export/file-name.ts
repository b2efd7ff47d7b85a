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

/** The source's own name, with the entry where only a path is exported, and with what it is where it is no copy. */
export function proposedName(file: string, entry: string | null, as: ExportAs, redact: boolean): string {
  const extension = extname(file)
  const stem = basename(file, extension)
  const tail = entry === null ? '' : `-${entry.replaceAll(/[^A-Za-z0-9._-]+/g, '-').slice(0, 40)}`
  return `${stem.slice(0, 180)}${tail}${redact ? '.redacted' : ''}${endings[as] ?? extension}`
}
