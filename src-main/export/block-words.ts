import { countText } from './readable.ts'

/** "1 line, 21 characters". */
export function sizeText(text: string): string {
  let lines = text === '' || text.endsWith('\n') ? 0 : 1
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines++
  return `${countText(lines, 'line')}, ${countText(text.length, 'character')}`
}

export const imageText = (mimeType: string, bytes: number | null): string =>
  `Image, ${mimeType === '' ? 'of unknown type' : mimeType}, ${bytes === null ? 'size unknown' : countText(bytes, 'byte')}`
