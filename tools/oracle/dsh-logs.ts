import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { corpus } from '#e2e/support/corpus.ts'
import { SessionStore } from '#main/formats/dsh/api.ts'

/** A log as its lines, of a session that lies in a project's folder. */
export interface Log {
  readonly id: string
  readonly version: number
  readonly project: string
  readonly lines: string
}

/** Logs of every generation whose own reader is published: made by our API, made here, and those of a collection of real ones. */
export function logs(): readonly Log[] {
  return [byApi(), made(2), made(3), ...collected()]
}

const cwd = '/srv/shop'
const project = '--srv-shop--'
const linesOf = (objects: readonly unknown[]): string => objects.map((object) => `${JSON.stringify(object)}\n`).join('')
const text = (words: string) => ({ type: 'text', text: words })
const source = { kind: 'model', provider: 'acme', model: 'large-1' }
const person = (words: string) => ({ id: `m-${words}`, role: 'user', content: [text(words)], source: { kind: 'user' } })
const called = { type: 'tool-call', id: 'c', name: 'read', arguments: '{"path":"a"}' }
const result = (words: string) => ({
  id: 'r',
  role: 'user',
  content: [{ type: 'tool-result', toolCallId: 'c', content: [text(words)] }],
  source: { kind: 'tool', callId: 'c' }
})
const config = { provider: 'acme', model: 'large-1' }

function byApi(): Log {
  const id = 'made by the API/é'
  const session = new SessionStore().create(id, { meta: { cwd, delegationDepth: 0 } })
  const append = { surfaceOp: 'append' } as const
  const place = { turn: 1, step: 1 }
  session.append('turn/start', { turn: 1 })
  session.append('step/start', place)
  session.append('user/message', person('Add a checkout page'), append)
  session.append('request/header', { header: { config, system: 'Be brief' }, reason: 'initial' })
  const message = { id: 'a1', role: 'assistant', content: [text('I look'), called], source }
  const answer = session.append('assistant/message', { ...place, message }, append)
  const call = session.append('tool/call', { ...place, callId: 'c', name: 'read', arguments: called.arguments })
  const { seq } = session.append(
    'tool/result',
    { ...place, message: result('export const a = 1') },
    {
      ...append,
      sourceEventSeqs: [call.seq]
    }
  )
  session.append(
    'tool/result',
    { ...place, message: result('[pruned]') },
    {
      surfaceOp: { op: 'replace', start: seq, end: seq },
      sourceEventSeqs: [seq]
    }
  )
  session.append('step/end', place)
  session.append('turn/end', { turn: 1, reason: { kind: 'completed' } })
  session.append('turn/start', { turn: 2 })
  session.append('user/message', person('In green: “ça va 漢字”'), append)
  session.append('user/message', person('What was done'), {
    surfaceOp: { op: 'replace', start: 2, end: answer.seq },
    sourceEventSeqs: [2, answer.seq]
  })
  session.append('turn/end', { turn: 2, reason: { kind: 'aborted', reason: { kind: 'user' } } })
  session.append('turn/start', { turn: 3 })
  return { id, version: 0, project, lines: linesOf([{ type: 'session', ...session.header }, ...session.events]) }
}

/** Two turns, one of them with a call. */
function made(version: 2 | 3): Log {
  const id = `made-v${version}`
  const append = { surfaceOp: 'append' }
  const system = {
    id: 's',
    role: 'system',
    content: [text('Be brief')],
    source: { kind: 'plugin', plugin: 'system-prompt' }
  }
  const events = [1, 2].flatMap((turn) => {
    const place = { turn, step: 1 }
    const answer = (content: readonly object[]) => ({
      type: 'assistant/message',
      data: { ...place, message: { id: `a${turn}${content.length}`, role: 'assistant', content, source }, stream: [] },
      ...append
    })
    const header = { config, ...(version === 2 ? { system: 'Be brief' } : {}) }
    return [
      { type: 'turn/start', data: { turn } },
      { type: 'step/start', data: place },
      ...(turn === 1 ? [{ type: 'request/header', data: { header, reason: 'initial' } }] : []),
      ...(turn === 1 && version === 3
        ? [{ type: 'system/message', data: { ...place, message: system }, ...append }]
        : []),
      { type: 'user/message', data: person(`turn ${turn}`), ...append },
      ...(turn === 1
        ? [
            answer([text('I look'), called]),
            { type: 'tool/call', data: { ...place, callId: 'c', name: 'read', arguments: called.arguments } },
            { type: 'tool/result', data: { ...place, message: result('export const a = 1') }, ...append }
          ]
        : [answer([text('Done')])]),
      { type: 'step/end', data: place },
      { type: 'turn/end', data: { turn, reason: { kind: 'completed' } } }
    ]
  })
  const header = { type: 'session', version, id, createdAt: 1, cwd, isSeeded: false, delegationDepth: 0 }
  const rows = events.map(({ type, ...rest }, seq) => ({ type, seq, time: seq + 1, ...rest }))
  return { id, version, project, lines: linesOf([header, ...rows]) }
}

/** Each generation of the sessions that dsh wrote raw. */
function collected(): readonly Log[] {
  if (corpus === null) return []
  const roots = join(corpus, 'dsh')
  return globSync('root-multi-generation/*/*/session*.jsonl', { cwd: roots }).map((name) => {
    const folder = dirname(name)
    const lines = readFileSync(join(roots, name), 'utf8')
    const version = Number(/\.v(\d+)\./.exec(basename(name))?.[1] ?? 0)
    return { id: basename(folder), version, project: basename(dirname(folder)), lines }
  })
}
