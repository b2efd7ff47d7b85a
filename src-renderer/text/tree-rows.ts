import type { TreeFilter } from '#shared/tree/filter.ts'
import { formatTokens, plural } from './numbers.ts'

export const filterLabels: Readonly<Record<TreeFilter, string>> = {
  all: 'All',
  'without-tools': 'Without tools',
  'only-mine': 'Only mine',
  labelled: 'Labelled'
}

/** What a filter that leaves no row says. */
export const nothingShown: Readonly<Record<TreeFilter, string>> = {
  all: 'This session has no entries',
  'without-tools': 'All entries are of tools',
  'only-mine': 'No message of yours is in this session',
  labelled: 'No entry has a label'
}

/** What is said of a row beside who speaks and what it says. */
export interface RowFacts {
  readonly label: string | null
  /** Number of the leaf, from 1, and how many there are. */
  readonly leaf: readonly [number, number] | null
  readonly isOnPath: boolean
  readonly isBranchPoint: boolean
  readonly failed: boolean
  /** Entries below that a fold hides. */
  readonly hidden: number
  readonly contextTokens: number | null
}

/** A row of the tree in words, for those who hear it. */
export function rowInWords(who: string, summary: string, facts: RowFacts): string {
  const parts = [
    `${who}: ${summary}`,
    facts.failed && 'failed',
    facts.label !== null && `label ${facts.label}`,
    facts.leaf !== null && `leaf ${facts.leaf[0]} of ${facts.leaf[1]}`,
    facts.isBranchPoint && 'branch point',
    !facts.isOnPath && 'not on the current path',
    facts.hidden > 0 && `${plural(facts.hidden, 'entry', 'entries')} folded`,
    facts.contextTokens !== null && `${formatTokens(facts.contextTokens)} tokens`
  ]
  return parts.filter((part) => part !== false).join(', ')
}
