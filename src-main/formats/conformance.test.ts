import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { conformance } from './conformance.ts'
import { encodeFrame } from './made-up/frames.ts'
import { madeUp } from './made-up/index.ts'
import { omp } from './omp/index.ts'
import { shellAgent } from './shell-agent/index.ts'

const line = (value: unknown) => `${JSON.stringify(value)}\n`

const fixtures = join(import.meta.dirname, 'omp', 'fixtures')
const more = line({
  type: 'message',
  id: 'zz',
  parentId: null,
  timestamp: '2026-01-02T00:00:00.000Z',
  message: { role: 'user', content: 'more' }
})

conformance(
  omp,
  readdirSync(fixtures)
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => {
      const path = join(fixtures, name)
      const bytes = readFileSync(path)
      // Without the line feed that the file lacks, the last entry would change: the agents lose what is glued.
      const begin = bytes.at(-1) === 0x0a ? '' : '\n'
      return { name, set: omp.force(path, null), bytes: [bytes], more: Buffer.from(begin + more) }
    })
)

const [oneSet] = madeUp.claim({
  path: '/made-up',
  files: ['one.frames', 'one.notes'],
  folders: [],
  below: () => ({ files: [], folders: [] }),
  head: () => undefined
})

conformance(madeUp, [
  {
    name: 'two files, framed, without ids, one rewritten whole',
    set: oneSet!,
    bytes: [
      Buffer.concat([
        encodeFrame(
          line({ who: 'person', say: 'hello', at: 1000 }) +
            line({ who: 'model', say: 'yes?\nwell', at: 2000, spent: 7 })
        ),
        encodeFrame(`\n${line({ event: 'paused' })}not json\n`),
        // A line that runs on into the next frame.
        encodeFrame('{"who":"person","say":"on we'),
        encodeFrame(` go"}\n${line({ who: 'model', say: 'so we do', spent: 5 })}`)
      ]),
      Buffer.from(JSON.stringify({ title: 'A made-up session', pinned: [2] }, null, 2))
    ],
    more: encodeFrame(line({ who: 'person', say: 'bye' }))
  }
])

const directories = join(import.meta.dirname, 'shell-agent', 'fixtures')

const token = (type: string, content: string) => line({ type, content })
const alternating = {
  name: 'text and thinking token by token',
  set: shellAgent.force(join(directories, '20260203-101500-aa01', 'conversation.jsonl'), null),
  bytes: [
    Buffer.from(line({ role: 'user', content: 'go' })),
    Buffer.from(
      line({ type: 'user_input', content: 'go' }) +
        (token('thinking', 'so') + token('text', 'it') + token('text', ' is')).repeat(7) +
        line({ type: 'stop', reason: 'end_turn' }) +
        token('thinking', 'a') +
        token('text', 'b')
    )
  ],
  more: Buffer.from(line({ role: 'user', content: 'more' }))
}

conformance(shellAgent, [
  alternating,
  ...readdirSync(directories, { withFileTypes: true })
    .filter((one) => one.isDirectory())
    .map(({ name }) => {
      const set = shellAgent.force(join(directories, name, 'conversation.jsonl'), null)
      const bytes = set.files.map(({ path }) => readFileSync(path))
      return { name, set, bytes, more: Buffer.from(line({ role: 'user', content: 'more' })) }
    })
])
