import type { ReactNode } from 'react'
import type { Fault } from '#shared/model/fault.ts'
import { placeOf } from '#renderer/text/faults.ts'
import css from './FaultText.module.css'

/** What is wrong, how badly and where. */
export function FaultText({ fault }: { readonly fault: Fault }): ReactNode {
  return (
    <span className={css.fault}>
      <span className={css.kind} data-severity={fault.severity}>
        {fault.severity}: {fault.kind}
      </span>
      <span className={css.place}>{placeOf(fault)}</span>
      <span className={css.message}>{fault.message}</span>
    </span>
  )
}
