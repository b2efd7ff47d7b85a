import type { Highlighted, HighlightReply, HighlightRequest } from './highlighting.ts'
// oxlint-disable-next-line import/default -- Vite makes a worker of the file, and this is its address
import workerUrl from './highlight-worker.ts?worker&url'

const longestCode = 100_000
const rememberAtMost = 300
const patience = 10_000

interface Waiting {
  readonly request: HighlightRequest
  readonly done: (lines: Highlighted | null) => void
}

/** The only kind of script that this page starts is its own worker. */
interface ScriptPolicy {
  createScriptURL(url: string): string
}
interface PolicyFactory {
  createPolicy(name: string, rules: ScriptPolicy): ScriptPolicy
}

const queue: Waiting[] = []
const remembered = new Map<string, Highlighted | null>()
let running: Waiting | undefined
let worker: Worker | undefined
let timer: ReturnType<typeof setTimeout> | undefined
let policy: ScriptPolicy | undefined
let lastId = 0

/**
 * Colours code in a worker, one piece after the other; null where its language is unknown, it is very long, or it took
 * too long. What nobody waits for any more is left out.
 */
export async function highlight(code: string, language: string, signal: AbortSignal): Promise<Highlighted | null> {
  if (code.length > longestCode || language === '') return null
  const name = `${language} ${code}`
  const known = remembered.get(name)
  if (known !== undefined) return known
  const lines = await new Promise<Highlighted | null>((resolve) => {
    const waiting = { request: { id: ++lastId, code, language }, done: resolve }
    queue.push(waiting)
    signal.addEventListener('abort', () => {
      const place = queue.indexOf(waiting)
      if (place >= 0) queue.splice(place, 1)
    })
    next()
  })
  remembered.set(name, lines)
  const [oldest] = remembered.keys()
  if (remembered.size > rememberAtMost && oldest !== undefined) remembered.delete(oldest)
  return lines
}

function next(): void {
  if (running !== undefined) return
  running = queue.shift()
  if (running === undefined) return
  worker ??= startWorker()
  // A grammar's expressions may take forever on text that was made for it.
  timer = setTimeout(() => {
    worker?.terminate()
    worker = undefined
    finish(null)
  }, patience)
  worker.postMessage(running.request, [])
}

function finish(lines: Highlighted | null): void {
  clearTimeout(timer)
  running?.done(lines)
  running = undefined
  next()
}

function startWorker(): Worker {
  const { trustedTypes } = globalThis as { readonly trustedTypes?: PolicyFactory }
  policy ??= trustedTypes?.createPolicy('app-worker', { createScriptURL: (url) => url })
  const started = new Worker(policy?.createScriptURL(workerUrl) ?? workerUrl, { type: 'module' })
  started.addEventListener('message', ({ data }: MessageEvent<HighlightReply>) => {
    if (started === worker && data.id === running?.request.id) finish(data.lines)
  })
  started.addEventListener('error', () => {
    if (started === worker) finish(null)
  })
  return started
}
