import type { SessionKey } from '#shared/model/keys.ts'
import type { SessionRow } from '#shared/model/session.ts'
import { sumUsage } from '#shared/model/usage.ts'

/** A session of one entry in which nothing was asked. */
export const sessionRow = (id: string, part: Partial<SessionRow> = {}): SessionRow => ({
  id,
  key: `key-${id}` as SessionKey,
  folder: null,
  revision: 1,
  bytes: 0,
  agent: 'pi',
  file: `/s/${id}.jsonl`,
  title: null,
  cwd: null,
  createdAt: null,
  updatedAt: null,
  entries: 1,
  leaves: 1,
  compactions: 0,
  models: [],
  usage: sumUsage([]),
  faults: 0,
  parent: null,
  origin: 'user',
  live: false,
  ...part
})
