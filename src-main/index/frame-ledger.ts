/** The frames that hold a line, in the file, and whether that line is a fault. */
export interface FramedLine {
  readonly offset: number
  readonly length: number
  readonly isFault: 0 | 1
}

/**
 * Bytes on disk of a file of frames, by what their lines are: those that a line runs through count as one, and as
 * faults where one of their lines is. What no line lies in (empty frames) is blank. `lines` by their frames' offsets.
 */
export function frameLedger(
  lines: Iterable<FramedLine>,
  size: number
): { readonly entry: number; readonly fault: number; readonly blank: number } {
  const bytes = { entry: 0, fault: 0 }
  let group = { start: 0, end: 0, isFault: false }
  const count = () => (bytes[group.isFault ? 'fault' : 'entry'] += group.end - group.start)
  for (const { offset, length, isFault } of lines) {
    if (offset >= group.end) {
      count()
      group = { start: offset, end: offset, isFault: false }
    }
    group.end = Math.max(group.end, offset + length)
    group.isFault ||= isFault === 1
  }
  count()
  return { ...bytes, blank: size - bytes.entry - bytes.fault }
}
