import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { branchBytes, readText } from '../testing.ts'
import { arbitrarySession } from './arbitrary-session.ts'
import { expectSameContext } from './branch-testing.ts'
import { omp } from './index.ts'
import { resumeCommand, titleLine } from './write.ts'

const now = new Date('2026-12-01T10:20:30.456Z')

describe.each([
  [1, 'pi'],
  [2, 'pi'],
  [3, 'pi'],
  [3, 'omp']
] as const)('any session of version %i, as %s', (version, agent) => {
  test('can be branched at every allowed entry, and the agent sees there what it saw', async () => {
    await fc.assert(
      fc.asyncProperty(arbitrarySession(version), async (text) => {
        const session = await readText(omp, text, agent)
        for (const at of session.records.entries.keys()) {
          if (omp.branchPoint(session, at).kind === 'allowed') await expectSameContext(session, Buffer.from(text), at)
        }
      }),
      { numRuns: 150 }
    )
  })
})
