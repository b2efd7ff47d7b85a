import type { FateName } from '#shared/model/compaction.ts'
import type { FateRow } from '#shared/contract/compaction.ts'
import { type Speaker, speakerOf } from './speakers.ts'

/** Fates in the order in which a legend names them, with what each means. */
export const fateMeanings: Readonly<Record<FateName, string>> = {
  kept: 'The same message on both sides',
  summarised: 'Gone; the summary stands for it',
  dropped: 'Gone; no summary stands for it',
  rewritten: 'The same message with other content',
  added: 'Only after the compaction'
}

/** Who speaks in a message of a context. */
export function speakerOfMessage({ kind, role, tool }: Pick<FateRow, 'kind' | 'role' | 'tool'>): Speaker {
  switch (kind) {
    case 'system':
      return { name: 'System', tone: 'plain' }
    case 'compaction-summary':
      return { name: 'Summary', tone: 'compaction' }
    case 'branch-summary':
      return speakerOf('branch-summary', null, null)
    case 'custom':
      return speakerOf('custom', null, null)
    case 'message':
      return speakerOf('message', role, tool)
  }
}

const triggers: Readonly<Record<string, string>> = { extension: 'Made by an extension' }

/** Who asked for a compaction, in words. */
export const triggerText = (trigger: string | null): string =>
  trigger === null ? 'Who asked for it was not recorded' : (triggers[trigger] ?? `Trigger: ${trigger}`)
