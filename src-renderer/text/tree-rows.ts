import type { TreeFilter } from '#shared/tree/filter.ts'

export const filterLabels: Readonly<Record<TreeFilter, string>> = {
  all: 'All',
  conversation: 'Conversation',
  'without-tools': 'Without tools',
  'only-mine': 'Only mine',
  labelled: 'Labelled'
}

export const filterHints: Readonly<Record<TreeFilter, string>> = {
  all: 'Every entry',
  conversation: 'Messages, calls with their results, compactions',
  'without-tools': 'No calls and results, and nothing that is only logged',
  'only-mine': 'What you said',
  labelled: 'What has a label'
}

/** What a filter that leaves no row says. */
export const nothingShown: Readonly<Record<TreeFilter, string>> = {
  all: 'This session has no entries',
  conversation: 'Nothing was said in this session',
  'without-tools': 'All entries are of tools or only logged',
  'only-mine': 'No message of yours is in this session',
  labelled: 'No entry has a label'
}

/** What a view says that has no entry to begin at, of a session with so many entries. */
export const nothingToShow = (entries: number): string => (entries === 0 ? nothingShown.all : nothingShown.conversation)

/** What a row's place in the tree means, for those who do not see the lines; "(branch point, not on the current path)". */
export function placeInWords(isBranchPoint: boolean, isOnPath: boolean): string {
  const words = [...(isBranchPoint ? ['branch point'] : []), ...(isOnPath ? [] : ['not on the current path'])]
  return words.length === 0 ? '' : `(${words.join(', ')})`
}
