import * as v from 'valibot'

export const severities = ['info', 'warning', 'error'] as const
export type Severity = (typeof severities)[number]

/** Each kind with its severity (docs/command-line.md, Fault). */
export const faultSeverity = {
  'malformed-line': 'error',
  'torn-tail': 'error',
  'not-an-object': 'error',
  'unknown-version': 'error',
  'seq-gap': 'error',
  'seq-conflict': 'error',
  'bad-surface-op': 'error',
  'line-too-long': 'error',
  unreadable: 'error',
  'unknown-type': 'info',
  bom: 'info',
  'repaired-line': 'info',
  'missing-parent-session': 'info',
  'stale-leaf': 'info',
  'lost-context': 'info',
  'unsupported-store': 'info',
  'fused-lines': 'warning',
  'missing-header': 'warning',
  'invalid-utf8': 'warning',
  'lone-surrogate': 'warning',
  'duplicate-id': 'warning',
  'orphan-parent': 'warning',
  cycle: 'warning',
  'bad-timestamp': 'warning',
  'unpaired-tool-call': 'warning',
  'unpaired-tool-result': 'warning',
  'request-response-mismatch': 'warning',
  'missing-blob': 'warning',
  'missing-files': 'warning',
  misplaced: 'warning',
  'kept-entry-not-ancestor': 'warning',
  'stats-drift': 'warning'
} as const satisfies Record<string, Severity>
export type FaultKind = keyof typeof faultSeverity
const faultKinds = Object.keys(faultSeverity) as FaultKind[]

/** What is wrong where. `line` counts from 1, `offset` and `length` are bytes; null where the fault has no such place. */
export const Fault = v.object({
  file: v.string(),
  kind: v.picklist(faultKinds),
  severity: v.picklist(severities),
  line: v.nullable(v.number()),
  offset: v.nullable(v.number()),
  length: v.nullable(v.number()),
  entry: v.nullable(v.string()),
  message: v.string()
})
export type Fault = v.InferOutput<typeof Fault>

/** Completes a fault with the file it lies in and the severity of its kind. */
export const placeFault = (fault: Omit<Fault, 'file' | 'severity'>, file: string): Fault => ({
  ...fault,
  file,
  severity: faultSeverity[fault.kind]
})
