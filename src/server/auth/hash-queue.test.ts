import { expect, it } from 'vitest'
import { createHashQueue, type HashQueueLimits } from './hash-queue.ts'

const queueLimits: HashQueueLimits = { maxParallel: 1, maxWaiting: 8, maxWaitingOfNetwork: 6, maxWaitingOfAccount: 4 }

/** Creates a queue with a function that adds a job, and the lists of completed and of refused jobs, in order. */
function watchedQueue(limits: Partial<HashQueueLimits> = {}) {
  const queue = createHashQueue({ ...queueLimits, ...limits })
  const done: string[] = []
  const refused: string[] = []
  const ask = (name: string, account: string, network: string) =>
    queue
      .run({ account, network }, async () => {
        await new Promise((resolve) => setTimeout(resolve, 1))
        done.push(name)
      })
      .catch((error: { code: string; headers?: Record<string, string> }) => {
        refused.push(`${name} ${error.code} ${error.headers?.['Retry-After']}`)
      })
  return { ask, done, refused }
}

it('networks take turns in the hash queue, and so do the accounts of a network', async () => {
  const { ask, done } = watchedQueue()
  await Promise.all([
    ask('a1', 'ana', 'x'),
    ask('a2', 'ana', 'x'),
    ask('a3', 'ana', 'x'),
    ask('b1', 'bo', 'x'),
    ask('owner', 'cy', 'y'),
  ])
  expect(done).toEqual(['a1', 'a2', 'owner', 'b1', 'a3'])
})

it('the hash queue runs one job at a time per account, even if more jobs could run', async () => {
  const queue = createHashQueue({ ...queueLimits, maxParallel: 4 })
  let [running, most] = [0, 0]
  const work = async () => {
    most = Math.max(most, ++running)
    await new Promise((resolve) => setTimeout(resolve, 2))
    running--
  }
  await Promise.all(['x', 'x', 'y', 'y'].map((network) => queue.run({ account: 'ana', network }, work)))
  expect(most).toBe(1)
})

it('if the work of a job throws, the next job of the hash queue still runs', async () => {
  const queue = createHashQueue(queueLimits)
  const asker = { account: 'ana', network: 'x' }
  await expect(queue.run(asker, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await queue.run(asker, async () => 'yes')).toBe('yes')
})

it('the hash queue refuses jobs of a network or account above its limit with 429, and no job of another network', async () => {
  const { ask, done, refused } = watchedQueue()
  const asked = ['r', '1', '2', '3', '4', '5'].map((name) => ask(`a${name}`, 'ana', 'x'))
  asked.push(ask('b1', 'bo', 'x'), ask('b2', 'bo', 'x'), ask('b3', 'bo', 'x'), ask('owner', 'ana', 'y'))
  await Promise.all(asked)
  expect(refused).toEqual(['a5 over_request_rate_limit 5', 'b3 over_request_rate_limit 5'])
  expect(done).toHaveLength(8)
  expect(done.indexOf('owner')).toBeLessThanOrEqual(2)
})

it('a full hash queue refuses the newest job of the network with the most jobs; if every network has one job, it refuses the new job with 503', async () => {
  const { ask, done, refused } = watchedQueue()
  const asked = ['r', '1', '2', '3', '4'].map((name) => ask(`a${name}`, 'ana', 'x'))
  asked.push(...['1', '2', '3', '4'].map((name) => ask(`b${name}`, 'bo', 'y')))
  asked.push(ask('owner', 'cy', 'z'))
  await Promise.all(asked)
  expect(refused).toEqual(['a4 over_request_rate_limit 5'])
  expect(done).toContain('owner')

  const full = watchedQueue({ maxWaiting: 3 })
  await Promise.all(['r', '1', '2', '3', 'owner'].map((name) => full.ask(name, name, name)))
  expect(full.refused).toEqual(['owner unavailable 5'])
})
