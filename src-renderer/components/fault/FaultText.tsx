import type { ReactNode } from 'react'
import type { Fault } from '#shared/model/fault.ts'
import { placeOf } from '#renderer/text/faults.ts'
import css from './FaultText.module.css'

interface FaultTextProps {
  readonly fault: Fault
  /** Name of the file that it is in, where that must be said. */
  readonly file?: string | null
}

/** What is wrong, how badly and where. */
export function FaultText({ fault, file = null }: FaultTextProps): ReactNode {
  return (
    <span className={css.fault}>
      <span className={css.kind} data-severity={fault.severity}>
        {fault.severity}: {fault.kind}
      </span>
      <span className={css.place}>{file === null ? placeOf(fault) : `${file}, ${placeOf(fault)}`}</span>
      <span className={css.message}>{fault.message}</span>
    </span>
  )
}
