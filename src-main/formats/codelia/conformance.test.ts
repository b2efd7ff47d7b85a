import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { conformance } from '../conformance.ts'
import { listFolder } from '../listing-testing.ts'
import { codelia } from './index.ts'

const fixtures = join(import.meta.dirname, 'fixtures')
const sessions = codelia.claim(listFolder(join(fixtures, 'sessions')))
const alone = ['sessions/2026/02/04/a1b2c3d4-0002-4000-8000-000000000002.jsonl', 'damaged.jsonl']

const record = '{"type":"run.context","run_id":"r","ts":"2026-02-05T11:00:00.000Z","context_left_percent":50}\n'
const message = '{"role":"user","content":"one more"}\n'

conformance(codelia, [
  ...sessions
    // A snapshot is one document, so no line can be added to it.
    .filter(({ files }) => files[0].role !== 'snapshot')
    .map((set) => ({
      name: 'a session with its runs and its messages',
      set,
      bytes: set.files.map(({ path }) => readFileSync(path)),
      more: Buffer.from(message)
    })),
  ...alone.map((name) => ({
    name,
    set: codelia.force(join(fixtures, name), null),
    bytes: [readFileSync(join(fixtures, name))],
    more: Buffer.from(name === 'damaged.jsonl' ? '"}\n' : record)
  }))
])
