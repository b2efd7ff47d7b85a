import { isDeepStrictEqual } from 'node:util'
import { expect } from 'vitest'
import type { ContextDraft } from '../format.ts'
import { branchBytes, type ReadSession, readSession } from '../testing.ts'
import { omp } from './index.ts'

const now = new Date('2026-12-01T10:20:30.456Z')

/** What of a context must be the same wherever it was written: all but ids. */
function withoutIds({ messages, model, thinking }: ContextDraft): unknown {
  return { model, thinking, messages: messages.map((message) => ({ ...message, sources: [] })) }
}

/** Plans a branch, reads back what it would write, and expects the agent to see there what it saw at the entry. */
export async function expectSameContext(session: ReadSession, bytes: Buffer, at: number): Promise<ReadSession> {
  const plan = await omp.planBranch(session, { at, now, into: null })
  const written = branchBytes(plan.files[0].pieces, [bytes])
  const agent = session.tree.agent
  const branch = await readSession(omp, omp.force(plan.files[0].path, session.records.agent), [written])
  expect(branch.tree.agent).toBe(agent)
  const there = withoutIds(await omp.context(branch, null))
  const here = withoutIds(await omp.context(session, at))
  // Contexts can be long: only where they differ is it worth to say how.
  if (!isDeepStrictEqual(there, here)) expect(there).toEqual(here)
  expect(branch.tree.session).toMatchObject({ id: plan.sessionId, parent: { file: session.records.files[0].path } })
  expect(branch.records.entries).toHaveLength(plan.entries)
  expect(branch.tree.leaves).toHaveLength(1)
  return branch
}
