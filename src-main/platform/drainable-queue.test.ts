import { afterEach, expect, test, vi } from 'vitest'
import { DrainableQueue } from './drainable-queue.ts'

afterEach(() => void vi.useRealTimers())

const queue = () => new DrainableQueue((error) => expect.fail(String(error)))

test('tasks run one after another, urgent ones first', async () => {
  const tasks = queue()
  const ran: string[] = []
  tasks.add('a', async () => {
    ran.push('a begins')
    await Promise.resolve()
    ran.push('a ends')
  })
  tasks.add('b', () => void ran.push('b'))
  tasks.add('c', () => void ran.push('c'), { urgent: true })
  await tasks.idle()
  expect(ran).toEqual(['c', 'a begins', 'a ends', 'b'])
})

test('a key that waits is not added twice, but can become urgent', async () => {
  const tasks = queue()
  const ran: string[] = []
  tasks.add('a', () => void ran.push('a'))
  tasks.add('b', () => void ran.push('b'))
  tasks.add('b', () => void ran.push('b'), { urgent: true })
  tasks.add('b', () => void ran.push('b'))
  await tasks.idle()
  expect(ran).toEqual(['b', 'a'])
})

test('a task that is added while it runs runs once more', async () => {
  const tasks = queue()
  let runs = 0
  const again = () => {
    runs++
    if (runs === 1) tasks.add('a', again)
  }
  tasks.add('a', again)
  await tasks.idle()
  expect(runs).toBe(2)
})

test('idle runs what is delayed at once, also what is added while it waits', async () => {
  const tasks = queue()
  const ran: string[] = []
  tasks.add(
    'a',
    () => {
      ran.push('a')
      tasks.add('b', () => void ran.push('b'), { delay: 3_600_000 })
    },
    { delay: 3_600_000 }
  )
  expect(ran).toEqual([])
  await tasks.idle()
  expect(ran).toEqual(['a', 'b'])
})

test('a delay runs on where the task is added again, and begins afresh where that is asked for', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const tasks = queue()
  const ran: string[] = []
  for (let second = 0; second < 5; second++) {
    tasks.add('steady', () => void ran.push(`steady ${second}`), { delay: 3000 })
    tasks.add('resting', () => void ran.push(`resting ${second}`), { delay: 3000, afresh: true })
    await vi.advanceTimersByTimeAsync(1000)
  }
  await vi.waitFor(() => expect(ran).toEqual(['steady 0']))
  await vi.advanceTimersByTimeAsync(2000)
  await tasks.idle()
  expect(ran).toEqual(['steady 0', 'steady 3', 'resting 4'])
})

test('a task that fails is reported and the next one runs', async () => {
  const failed: string[] = []
  const tasks = new DrainableQueue((error, key) => failed.push(`${key}: ${String(error)}`))
  let ran = false
  tasks.add('a', () => Promise.reject(new Error('no')))
  tasks.add('b', () => void (ran = true))
  await tasks.idle()
  expect(failed).toEqual(['a: Error: no'])
  expect(ran).toBe(true)
})

test('close drops what waits and waits for what runs', async () => {
  const tasks = queue()
  const ran: string[] = []
  const running = Promise.withResolvers<void>()
  tasks.add('a', async () => {
    running.resolve()
    await Promise.resolve()
    ran.push('a')
  })
  tasks.add('b', () => void ran.push('b'))
  await running.promise
  await tasks.close()
  tasks.add('c', () => void ran.push('c'))
  await tasks.idle()
  expect(ran).toEqual(['a'])
})
