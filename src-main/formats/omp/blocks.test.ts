import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readPath } from '../testing.ts'
import { omp } from './index.ts'

const session = await readPath(omp, join(import.meta.dirname, 'fixtures', 'pi-branches.jsonl'))
const detail = (id: string) =>
  omp.blocks(
    session,
    session.tree.nodes.findIndex((node) => node.id === id)
  )

test("an answer has its blocks in order, a call's arguments as indented JSON", async () => {
  const { blocks, facts, own } = await detail('a1')
  expect(blocks.map((block) => [block.type, block.name, block.text])).toEqual([
    ['thinking', null, 'Look at the worker first.'],
    ['text', null, 'I will read the worker.'],
    ['tool-call', 'read', '{\n  "path": "src/queue/worker.ts"\n}'],
    ['tool-call', 'bash', '{\n  "command": "npm test -- queue"\n}']
  ])
  expect(facts).toEqual([
    ['Model', 'anthropic/claude-opus-4-5'],
    ['API', 'anthropic-messages'],
    ['Stop reason', 'toolUse']
  ])
  expect(own).toBe(false)
})

test('a prompt is the person’s own', async () => {
  expect(await detail('u1')).toMatchObject({ own: true, blocks: [{ type: 'text', length: 40 }] })
})

test('a result says whose it is and whether it failed', async () => {
  expect((await detail('r2')).blocks).toMatchObject([
    { type: 'tool-result', name: 'bash', callId: 'c2', isError: true }
  ])
})

test('a shell command is its text and its output', async () => {
  expect((await detail('e1')).blocks.map((block) => [block.type, block.text])).toEqual([
    ['text', 'git status'],
    ['tool-result', 'clean']
  ])
  expect((await detail('e1')).facts).toContainEqual(['Sent to the model', 'no'])
})

test('a compaction is its summary with the figures the agent recorded', async () => {
  const { blocks, facts } = await detail('k9')
  expect(blocks).toMatchObject([{ type: 'text', text: '## Goal\nFind the stall.' }])
  expect(facts).toEqual(
    expect.arrayContaining([
      ['First kept entry', 'u3'],
      ['Tokens before', '31,800']
    ])
  )
})

test('an entry of another kind is its facts, and what is nested as indented JSON', async () => {
  expect(await detail('m1')).toEqual({
    blocks: [],
    facts: [
      ['Provider', 'anthropic'],
      ['Model', 'claude-opus-4-5']
    ],
    own: false
  })
  expect((await detail('w1')).blocks).toMatchObject([{ type: 'other', name: 'usage' }])
})
