import { expect, it } from 'vitest'
import { createHashQueue, type HashQueueLimits } from './hash-queue.ts'

const queueLimits: HashQueueLimits = { maxParallel: 1, maxWaiting: 8, maxWaitingOfNetwork: 6, maxWaitingOfAccount: 4 }

/** Creates a queue with a function that adds a job, and the lists of completed and of refused jobs, in order. */
function watchedQueue(limits: Partial<HashQueueLimits> = {}) {
  const queue = createHashQueue({ ...queueLimits, ...limits })
  const completed: string[] = []
  const refused: string[] = []
  const addJob = (name: string, account: string, network: string) =>
    queue
      .run({ account, network }, async () => {
        await new Promise((resolve) => setTimeout(resolve, 1))
        completed.push(name)
      })
      .catch((error: { code: string; headers?: Record<string, string> }) => {
        refused.push(`${name} ${error.code} ${error.headers?.['Retry-After']}`)
      })
  return { addJob, completed, refused }
}

it('networks take turns in the hash queue, and so do the accounts of a network', async () => {
  const { addJob, completed } = watchedQueue()
  await Promise.all([
    addJob('a1', 'ana', 'x'),
    addJob('a2', 'ana', 'x'),
    addJob('a3', 'ana', 'x'),
    addJob('b1', 'bo', 'x'),
    addJob('owner', 'cy', 'y'),
  ])
  expect(completed).toEqual(['a1', 'a2', 'owner', 'b1', 'a3'])
})

it('the hash queue runs one job at a time per account, even if more jobs could run', async () => {
  const queue = createHashQueue({ ...queueLimits, maxParallel: 4 })
  let [running, mostRunning] = [0, 0]
  const work = async () => {
    mostRunning = Math.max(mostRunning, ++running)
    await new Promise((resolve) => setTimeout(resolve, 2))
    running--
  }
  await Promise.all(['x', 'x', 'y', 'y'].map((network) => queue.run({ account: 'ana', network }, work)))
  expect(mostRunning).toBe(1)
})

it('if the work of a job throws, the next job of the hash queue still runs', async () => {
  const queue = createHashQueue(queueLimits)
  const requester = { account: 'ana', network: 'x' }
  await expect(queue.run(requester, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await queue.run(requester, async () => 'yes')).toBe('yes')
})

it('the hash queue refuses jobs of a network or account above its limit with 429, and no job of another network', async () => {
  const { addJob, completed, refused } = watchedQueue()
  const jobs = ['r', '1', '2', '3', '4', '5'].map((name) => addJob(`a${name}`, 'ana', 'x'))
  jobs.push(addJob('b1', 'bo', 'x'), addJob('b2', 'bo', 'x'), addJob('b3', 'bo', 'x'), addJob('owner', 'ana', 'y'))
  await Promise.all(jobs)
  expect(refused).toEqual(['a5 over_request_rate_limit 5', 'b3 over_request_rate_limit 5'])
  expect(completed).toHaveLength(8)
  expect(completed.indexOf('owner')).toBeLessThanOrEqual(2)
})

it('a full hash queue refuses the newest job of the network with the most jobs; if every network has one job, it refuses the new job with 503', async () => {
  const { addJob, completed, refused } = watchedQueue()
  const jobs = ['r', '1', '2', '3', '4'].map((name) => addJob(`a${name}`, 'ana', 'x'))
  jobs.push(...['1', '2', '3', '4'].map((name) => addJob(`b${name}`, 'bo', 'y')))
  jobs.push(addJob('owner', 'cy', 'z'))
  await Promise.all(jobs)
  expect(refused).toEqual(['a4 over_request_rate_limit 5'])
  expect(completed).toContain('owner')

  const fullQueue = watchedQueue({ maxWaiting: 3 })
  await Promise.all(['r', '1', '2', '3', 'owner'].map((name) => fullQueue.addJob(name, name, name)))
  expect(fullQueue.refused).toEqual(['owner unavailable 5'])
})
