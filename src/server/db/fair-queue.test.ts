import { expect, test } from 'vitest'
import { type ConcurrencyLimits, FairQueue, type QueuedJob } from './fair-queue.ts'

interface Job extends QueuedJob {
  name: string
}

/** Creates a job named `user/path number`, such as `ann/rows 1`. Without `overrides`, each user is a separate team. */
function job(name: string, overrides: Partial<QueuedJob> = {}): Job {
  const [user = '', path = ''] = (name.split(' ')[0] ?? '').split('/')
  return { name, user, path, team: user, groups: [], serialKey: null, readyAt: 0, ...overrides }
}

const wideLimits: ConcurrencyLimits = {
  perUser: 9,
  perUserOnUsedPaths: 9,
  perSlowUser: 9,
  perPath: 9,
  perGroup: 9,
  onlyIdleUsers: false,
}

function queueOf(...names: string[]): FairQueue<Job> {
  const queue = new FairQueue<Job>()
  for (const name of names) queue.add(job(name))
  return queue
}

function takeAll(queue: FairQueue<Job>, limits: Partial<ConcurrencyLimits> = {}): string[] {
  const names: string[] = []
  for (let next = queue.find({ ...wideLimits, ...limits }); next; next = queue.find({ ...wideLimits, ...limits })) {
    queue.start(next)
    names.push(next.name)
  }
  return names
}

test('users take turns, and so do the paths of one user, each in order of arrival', () => {
  const queue = queueOf('a/x 1', 'a/x 2', 'a/y 1', 'b/x 1', 'b/x 2', 'c/x 1')
  expect(takeAll(queue)).toEqual(['a/x 1', 'b/x 1', 'c/x 1', 'a/y 1', 'b/x 2', 'a/x 2'])
  expect(queue.size).toBe(0)
})

test('teams take turns, however many users they have; in each turn of a team, one of its users is served', () => {
  const queue = new FairQueue<Job>()
  for (const user of ['a', 'b', 'c', 'd']) queue.add(job(`${user}/x`, { team: 'large' }))
  for (const user of ['e', 'f']) queue.add(job(`${user}/x`, { team: 'small' }))
  queue.add(job('g/x'))
  expect(takeAll(queue)).toEqual(['a/x', 'e/x', 'g/x', 'b/x', 'f/x', 'c/x', 'd/x'])
})

test('all jobs of a user belong to the team of the user’s newest job', () => {
  const queue = new FairQueue<Job>()
  for (const n of [1, 2]) queue.add(job(`a/x ${n}`, { team: 'a' }))
  for (const n of [1, 2]) queue.add(job(`b/x ${n}`, { team: 'both' }))
  queue.add(job('a/y', { team: 'both' }))
  queue.add(job('c/x'))
  expect(takeAll(queue)).toEqual(['b/x 1', 'c/x', 'a/x 1', 'b/x 2', 'a/y', 'a/x 2'])
})

test('isTooLate returns true if the waiting jobs of both the team and the user use up their shares of the jobs that can start in time', () => {
  const queue = new FairQueue<Job>()
  for (const name of ['a/x 1', 'a/x 2', 'b/x 1']) queue.add(job(name, { team: 'large' }))
  queue.add(job('e/x 1', { team: 'small' }))
  expect(queue.isTooLate('a', 'large', 12)).toBe(false)
  expect(queue.isTooLate('a', 'large', 6)).toBe(true)
  expect(queue.isTooLate('b', 'large', 6)).toBe(false)
  expect(queue.isTooLate('c', 'large', 6)).toBe(false)
  expect(queue.isTooLate('e', 'small', 6)).toBe(false)
  expect(queue.isTooLate('e', 'small', 2)).toBe(true)
  takeAll(queue)
  expect(queue.isTooLate('a', 'large', 6)).toBe(false)
})

test('a full queue removes a job of the team with the most waiting jobs, and within this team a job of the user with the most', () => {
  const queue = new FairQueue<Job>()
  for (const name of ['a/x 1', 'a/x 2', 'b/x 1', 'c/x 1']) queue.add(job(name, { team: 'large' }))
  for (const name of ['e/x 1', 'e/x 2', 'e/x 3']) queue.add(job(name, { team: 'small' }))
  expect(queue.shed('e', 'small')).toBeUndefined()
  expect(queue.shed('f', 'none')?.name).toBe('a/x 2')
  expect(queue.shed('d', 'large')).toBeUndefined()
  queue.add(job('b/x 2', { team: 'large' }))
  queue.add(job('b/x 3', { team: 'large' }))
  expect(queue.shed('a', 'large')?.name).toBe('b/x 3')
})

test('a user who has reached the limit on running jobs must wait, and the other users continue', () => {
  const queue = new FairQueue<Job>()
  const jobs = ['a/x 1', 'a/y 2', 'a/z 3', 'b/x 1'].map((name) => job(name))
  for (const queued of jobs) queue.add(queued)
  expect(takeAll(queue, { perUser: 1 })).toEqual(['a/x 1', 'b/x 1'])
  expect(queue.waitingOf('a')).toBe(2)
  queue.done(jobs[0] as Job)
  expect(takeAll(queue, { perUser: 1 })).toEqual(['a/y 2'])
})

test('when a path has reached its limit on running jobs, its next job waits, whichever user sent it', () => {
  const queue = queueOf('a/x 1', 'b/x 1', 'c/x 1', 'c/y 1')
  expect(takeAll(queue, { perPath: 2 })).toEqual(['a/x 1', 'b/x 1', 'c/y 1'])
  expect(queue.size).toBe(1)
})

test('the running jobs of a user leave some connections of the user to other paths', () => {
  const queue = queueOf('a/x 1', 'a/x 2', 'a/x 3', 'a/y 1', 'a/y 2')
  const limits = { perUser: 5, perUserOnUsedPaths: 3 }
  expect(takeAll(queue, limits)).toEqual(['a/x 1', 'a/y 1', 'a/x 2'])
  for (const name of ['a/z 1', 'a/z 2', 'a/v 1', 'a/w 1']) queue.add(job(name))
  expect(takeAll(queue, limits)).toEqual(['a/z 1', 'a/v 1'])
})

test('a user with slow requests may run fewer jobs for a while', () => {
  const queue = queueOf('a/x 1', 'a/x 2', 'a/x 3', 'b/x 1', 'b/x 2')
  queue.limitUser('a', 100)
  expect(takeAll(queue, { perSlowUser: 1 })).toEqual(['a/x 1', 'b/x 1', 'b/x 2'])
  queue.expireLimits(99)
  expect(takeAll(queue, { perSlowUser: 1 })).toEqual([])
  queue.expireLimits(101)
  expect(takeAll(queue, { perSlowUser: 1 })).toEqual(['a/x 2', 'a/x 3'])
  queue.limitUser('a', 200)
  queue.add(job('a/x 4'))
  queue.add(job('a/y 1'))
  expect(takeAll(queue, { perSlowUser: 1 })).toEqual(['a/y 1'])
})

test('users of one group share a limit on running jobs', () => {
  const queue = new FairQueue<Job>()
  for (const name of ['a/x 1', 'b/x 1', 'c/x 1']) queue.add(job(name, { groups: ['office'] }))
  queue.add(job('d/x 1'))
  expect(takeAll(queue, { perGroup: 2 })).toEqual(['a/x 1', 'b/x 1', 'd/x 1'])
})

test('the last connections are reserved for users without a running request', () => {
  const queue = queueOf('a/x 1', 'a/x 2')
  takeAll(queue, { perUser: 1 })
  queue.add(job('b/x 1'))
  expect(takeAll(queue, { onlyIdleUsers: true })).toEqual(['b/x 1'])
})

test('jobs with one serial key run one after another, and use no connection while they wait', () => {
  const queue = new FairQueue<Job>()
  const jobs = [1, 2, 3].map((n) => job(`a/x ${n}`, { serialKey: 'key' }))
  for (const queued of jobs) queue.add(queued)
  queue.add(job('a/x 4'))
  expect(takeAll(queue)).toEqual(['a/x 1', 'a/x 4'])
  expect([queue.size, queue.waitingOf('a')]).toEqual([2, 2])
  queue.done(jobs[0] as Job)
  expect(takeAll(queue)).toEqual(['a/x 2'])
  queue.done(jobs[1] as Job)
  expect(takeAll(queue)).toEqual(['a/x 3'])
})

test('expired jobs are removed, and the next job with the same serial key may run', () => {
  const queue = new FairQueue<Job>()
  for (const n of [1, 2, 3]) queue.add(job(`a/x ${n}`, { serialKey: 'key' }))
  const names = (jobs: Job[]) => jobs.map(({ name }) => name)
  expect(names(queue.expire(({ name }) => name.endsWith('2')))).toEqual(['a/x 2'])
  expect(names(queue.expire(({ name }) => name.endsWith('1')))).toEqual(['a/x 1'])
  expect(takeAll(queue)).toEqual(['a/x 3'])
  expect(queue.size).toBe(0)
  expect(names(queue.expire(() => true))).toEqual([])
})

test('a full queue removes the newest job of the user with the most waiting jobs', () => {
  const queue = queueOf('a/x 1', 'a/x 2', 'a/x 3', 'b/x 1')
  expect(queue.shed('c', 'c')?.name).toBe('a/x 3')
  expect(queue.shed('c', 'c')?.name).toBe('a/x 2')
  expect(queue.shed('c', 'c')).toBeUndefined()
  expect(takeAll(queue)).toEqual(['a/x 1', 'b/x 1'])
})

test('a full queue can also remove a job that waits for an earlier job of its serial key', () => {
  const queue = new FairQueue<Job>()
  for (const n of [1, 2, 3]) queue.add(job(`a/x ${n}`, { serialKey: 'key' }))
  expect(takeAll(queue)).toEqual(['a/x 1'])
  expect(queue.shed('b', 'b')?.name).toBe('a/x 3')
  expect(queue.shed('b', 'b')).toBeUndefined()
  expect(queue.size).toBe(1)
})
