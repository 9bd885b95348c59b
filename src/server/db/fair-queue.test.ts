import { expect, test } from 'vitest'
import { type Caps, FairQueue, type Share } from './fair-queue.ts'

interface Job extends Share {
  name: string
}

/** `ann/rows 1`: user, path, number. */
function job(name: string, more: Partial<Share> = {}): Job {
  const [user = '', path = ''] = (name.split(' ')[0] ?? '').split('/')
  return { name, user, path, groups: [], serial: null, readyAt: 0, ...more }
}

const wide: Caps = { perUser: 9, perSlowUser: 9, perPathOfUser: 9, perPath: 9, perGroup: 9, onlyIdleUsers: false }

function queueOf(...names: string[]): FairQueue<Job> {
  const queue = new FairQueue<Job>()
  for (const name of names) queue.add(job(name))
  return queue
}

function takeAll(queue: FairQueue<Job>, caps: Partial<Caps> = {}): string[] {
  const names: string[] = []
  for (let next = queue.find({ ...wide, ...caps }); next; next = queue.find({ ...wide, ...caps })) {
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

test('a user at the limit waits, the others continue', () => {
  const queue = new FairQueue<Job>()
  const jobs = ['a/x 1', 'a/y 2', 'a/z 3', 'b/x 1'].map((name) => job(name))
  for (const one of jobs) queue.add(one)
  expect(takeAll(queue, { perUser: 1 })).toEqual(['a/x 1', 'b/x 1'])
  expect(queue.waitingOf('a')).toBe(2)
  queue.done(jobs[0] as Job)
  expect(takeAll(queue, { perUser: 1 })).toEqual(['a/y 2'])
})

test('a path at the limit waits, whoever sent the request', () => {
  const queue = queueOf('a/x 1', 'b/x 1', 'c/x 1', 'c/y 1')
  expect(takeAll(queue, { perPath: 2 })).toEqual(['a/x 1', 'b/x 1', 'c/y 1'])
  expect(queue.size).toBe(1)
})

test('one path cannot use all places of its user', () => {
  const queue = queueOf('a/x 1', 'a/x 2', 'a/x 3', 'a/y 1')
  expect(takeAll(queue, { perPathOfUser: 2 })).toEqual(['a/x 1', 'a/y 1', 'a/x 2'])
})

test('a user with slow requests has fewer places for a while', () => {
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

test('users of one group share a limit', () => {
  const queue = new FairQueue<Job>()
  for (const name of ['a/x 1', 'b/x 1', 'c/x 1']) queue.add(job(name, { groups: ['office'] }))
  queue.add(job('d/x 1'))
  expect(takeAll(queue, { perGroup: 2 })).toEqual(['a/x 1', 'b/x 1', 'd/x 1'])
})

test('the last places are for users without a running request', () => {
  const queue = queueOf('a/x 1', 'a/x 2')
  takeAll(queue, { perUser: 1 })
  queue.add(job('b/x 1'))
  expect(takeAll(queue, { onlyIdleUsers: true })).toEqual(['b/x 1'])
})

test('jobs of one serial run one after another, and use no place while they wait', () => {
  const queue = new FairQueue<Job>()
  const jobs = [1, 2, 3].map((n) => job(`a/x ${n}`, { serial: 'key' }))
  for (const one of jobs) queue.add(one)
  queue.add(job('a/x 4'))
  expect(takeAll(queue)).toEqual(['a/x 1', 'a/x 4'])
  expect([queue.size, queue.waitingOf('a')]).toEqual([2, 2])
  queue.done(jobs[0] as Job)
  expect(takeAll(queue)).toEqual(['a/x 2'])
  queue.done(jobs[1] as Job)
  expect(takeAll(queue)).toEqual(['a/x 3'])
})

test('expired jobs are removed, and the next of their serial may run', () => {
  const queue = new FairQueue<Job>()
  for (const n of [1, 2, 3]) queue.add(job(`a/x ${n}`, { serial: 'key' }))
  const names = (jobs: Job[]) => jobs.map(({ name }) => name)
  expect(names(queue.expire(({ name }) => name.endsWith('2')))).toEqual(['a/x 2'])
  expect(names(queue.expire(({ name }) => name.endsWith('1')))).toEqual(['a/x 1'])
  expect(takeAll(queue)).toEqual(['a/x 3'])
  expect(queue.size).toBe(0)
  expect(names(queue.expire(() => true))).toEqual([])
})

test('a full queue sheds the newest job of the user with the most waiting jobs', () => {
  const queue = queueOf('a/x 1', 'a/x 2', 'a/x 3', 'b/x 1')
  expect(queue.shed('c')?.name).toBe('a/x 3')
  expect(queue.shed('c')?.name).toBe('a/x 2')
  expect(queue.shed('c')).toBeUndefined()
  expect(takeAll(queue)).toEqual(['a/x 1', 'b/x 1'])
})

test('jobs that wait for the first of their serial can be shed too', () => {
  const queue = new FairQueue<Job>()
  for (const n of [1, 2, 3]) queue.add(job(`a/x ${n}`, { serial: 'key' }))
  expect(takeAll(queue)).toEqual(['a/x 1'])
  expect(queue.shed('b')?.name).toBe('a/x 3')
  expect(queue.shed('b')).toBeUndefined()
  expect(queue.size).toBe(1)
})
