import { copyFileSync, mkdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { SessionManager } from '#main/formats/omp/api.ts'
import type { Calls, Events } from '#shared/contract/contract.ts'
import { Refusal } from '#shared/contract/refusal.ts'
import type { SessionKey } from '#shared/model/keys.ts'
import type { Client } from '#shared/rpc/client.ts'
import { branchPoints, startEngine } from './engine.ts'

export type Agent = 'pi' | 'omp'

/** A file that we wrote, and what we say that the agent will make of it. */
export interface WrittenFile {
  readonly how: string
  readonly agent: Agent
  readonly file: string
  readonly leaf: string | null
  readonly messages: readonly (readonly [role: string, text: string])[]
}

/** Every kind of file that we write, from these sources and from sessions made by our API; `folder` is for all of them. */
export async function writeFiles(sources: readonly string[], folder: string): Promise<readonly WrittenFile[]> {
  const { engine, client } = await startEngine(folder)
  const written: WrittenFile[] = []
  const note = async (how: string, file: string) => {
    const session = await engine.openFile(file, null)
    const { messages } = await client.call('entry.context', { session })
    const { defaultLeaf } = await client.call('session.outline', { session })
    const { agent } = await client.call('session.get', { session })
    if (agent !== 'pi' && agent !== 'omp') throw new Error(`${file} is read as ${agent}`)
    written.push({
      how,
      agent,
      file,
      leaf: defaultLeaf.id,
      messages: messages.map(({ role, text }) => [role, text])
    })
  }
  try {
    for (const file of [...sources, ...madeByApi(folder)]) {
      if (file.includes('api-')) await note('SessionManager', file)
      const place = placeFor(folder, file)
      const copy = (name: string) => {
        const path = join(place, `${name}-${basename(file)}`)
        copyFileSync(file, path)
        return path
      }
      const source = copy('source')
      const session = await engine.openFile(source, null)
      const entries = await branchPoints(client, session)
      for (const entry of entries) {
        const { result } = await client.call('branch.write', { session, mode: 'new-file', entry })
        await note('branch as a new file', result.file)
      }
      const { result } = await client.call('branch.write', { session, mode: 'fork' })
      await note('fork', result.file)
      // omp itself loads no file with a line `null`, so there it has no say.
      if (file.endsWith('damaged.jsonl')) continue
      for (const [index, entry] of entries.entries()) {
        const own = copy(`in-place-${index}`)
        const summary = index % 2 === 0 ? {} : { summary: 'What was tried there' }
        if (await append(client, await engine.openFile(own, null), { entry, ...summary }))
          await note(index % 2 === 0 ? 'branch in place' : 'branch in place with a summary', own)
        const labelled = copy(`label-${index}`)
        if (await append(client, await engine.openFile(labelled, null), { entry, label: 'a label' }))
          await note('label', labelled)
      }
    }
  } finally {
    await engine.close()
  }
  return written
}

/** False where the file cannot be appended to, as its version or its damage has it. */
async function append(
  client: Client<Calls, Events>,
  session: SessionKey,
  what: { readonly entry: string; readonly summary?: string } | { readonly entry: string; readonly label: string }
): Promise<boolean> {
  try {
    await ('label' in what
      ? client.call('entry.label', { session, dryRun: false, ...what })
      : client.call('branch.write', { session, mode: 'in-place', ...what }))
    return true
  } catch (error) {
    if (error instanceof Refusal && error.code === 'unsupported') return false
    throw error
  }
}

/** A folder that shows whose the file is. */
function placeFor(folder: string, file: string): string {
  const place = join(folder, /omp|damaged/.test(basename(file)) ? '.omp' : 'pi', basename(file, '.jsonl'))
  mkdirSync(place, { recursive: true })
  return place
}

/** Two sessions written by our API, one of each agent, as they are after every append. */
function madeByApi(folder: string): readonly string[] {
  return (['pi', 'omp'] as const).flatMap((agent) => {
    const place = join(folder, `.${agent}`, 'api')
    const session = SessionManager.create('/srv/shop', place)
    const made: string[] = []
    const step = (id: string) => {
      const file = session.getSessionFile() ?? ''
      const copy = join(place, `api-${agent}-${made.length}.jsonl`)
      copyFileSync(file, copy)
      made.push(copy)
      return id
    }
    session.appendModelChange('acme', 'large-1')
    const ask = step(session.appendMessage({ role: 'user', content: 'Add a checkout page', timestamp: 1 }))
    const usage = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, totalTokens: 2, cost: { total: 0 } }
    const answer = (content: readonly object[], stopReason = 'stop') =>
      step(
        session.appendMessage({
          role: 'assistant',
          content,
          api: 'messages',
          provider: 'acme',
          model: 'large-1',
          usage,
          stopReason,
          timestamp: 2
        })
      )
    answer([{ type: 'toolCall', id: 'call', name: 'read', arguments: { path: 'a' } }], 'toolUse')
    const result = { role: 'toolResult', toolCallId: 'call', toolName: 'read', isError: false, timestamp: 3 }
    step(session.appendMessage({ ...result, content: [{ type: 'text', text: 'export const a = 1' }] }))
    const done = answer([{ type: 'text', text: 'It is there: “ça va 漢字”' }])
    step(session.appendThinkingLevelChange('high'))
    step(session.appendLabelChange(done, 'works'))
    step(session.appendCustomEntry('note', { seen: true }))
    step(session.appendCustomMessageEntry('hook', 'Injected', false, { why: 'a test' }))
    session.branch(done)
    const other = step(
      session.appendMessage({ role: 'user', content: [{ type: 'text', text: 'In green' }], timestamp: 4 })
    )
    answer([{ type: 'text', text: 'They are green' }])
    step(session.appendCompaction('A page was added', other, 1000, { files: ['a'] }, true))
    step(session.appendMessage({ role: 'user', content: 'And now?', timestamp: 5 }))
    step(session.branchWithSummary(ask, 'Green was tried', { readFiles: ['a'] }, true))
    step(session.appendMessage({ role: 'user', content: 'In blue', timestamp: 6 }))
    step(session.branchWithSummary(null, 'All of it'))
    return made
  })
}
