import type { EngineEnd } from '#shared/contract/app.ts'

const parts: Readonly<Record<EngineEnd['role'], string>> = {
  writer: 'The part of Treeline that reads session files',
  reader: 'The part of Treeline that answers this window'
}

/** "… ran out of memory." */
export function causeOfEnd({ role, why }: EngineEnd): string {
  const what = why.kind === 'memory' ? 'ran out of memory' : `ended by a mistake (${why.id}, see the log)`
  return `${parts[role]} ${what}.`
}

/** What that means, and that nothing is lost. */
export const effectsOfEnd: Readonly<Record<EngineEnd['role'], string>> = {
  writer: 'What you see stays as it was; new sessions and lines are not noticed. No file was changed by it.',
  reader: 'What you see stays; nothing more can be shown. No file was changed by it.'
}
