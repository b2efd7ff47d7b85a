import type { Fault } from '#shared/model/fault.ts'
import { formatCount } from './numbers.ts'

/** Where a fault is: "line 12, 204,811 + 2,330 bytes"; "the whole file" where it has no line. */
export function placeOf(fault: Pick<Fault, 'line' | 'offset' | 'length'>): string {
  if (fault.line === null && fault.offset === null) return 'the whole file'
  const parts: string[] = []
  if (fault.line !== null) parts.push(`line ${formatCount(fault.line)}`)
  if (fault.offset !== null) {
    parts.push(
      fault.length === null
        ? `at byte ${formatCount(fault.offset)}`
        : `${formatCount(fault.offset)} + ${formatCount(fault.length)} bytes`
    )
  }
  return parts.join(', ')
}
