import { expect, test } from 'vitest'
import { type Caps, FairQueue, type Share } from './fair-queue.ts'

interface Job extends Share {
  name: string
}

/** `ann/rows 1`: user, path, number. */
function job(name: string, more: Partial<Share> = {}): Job {
  const [user = '', path = ''] = (name.split(' ')[0] ?? '').split('/')
  return { name, user, path, groups: [], serial: null, ...more }
}

const wide: Caps = { perUser: 9, perSlowUser: 9, perPathOfUser: 9, perPath: 9, perGroup: 9, onlyNewcomers: false }

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

test('users take turns, and within a user the paths, each in the order of arrival', () => {
  const queue = queueOf('a/x 1', 'a/x 2', 'a/y 1', 'b/x 1', 'b/x 2', 'c/x 1')
  expect(takeAll(queue)).toEqual(['a/x 1', 'b/x 1', 'c/x 1', 'a/y 1', 'b/x 2', 'a/x 2'])
  expect(queue.size).toBe(0)
})

test('a user at the cap waits, the others go on', () => {
  const queue = new FairQueue<Job>()
  const jobs = ['a/x 1', 'a/y 2', 'a/z 3', 'b/x 1'].map((name) => job(name))
  for (const one of jobs) queue.add(one)
  expect(takeAll(queue, { perUser: 1 })).toEqual(['a/x 1', 'b/x 1'])
  expect(queue.waitingOf('a')).toBe(2)
  queue.done(jobs[0] as Job)
  expect(takeAll(queue, { perUser: 1 })).toEqual(['a/y 2'])
})

test('a path at the cap waits, whoever asks for it', () => {
  const queue = queueOf('a/x 1', 'b/x 1', 'c/x 1', 'c/y 1')
  expect(takeAll(queue, { perPath: 2 })).toEqual(['a/x 1', 'b/x 1', 'c/y 1'])
  expect(queue.size).toBe(1)
})

test('a path takes no user all of their places', () => {
  const queue = queueOf('a/x 1', 'a/x 2', 'a/x 3', 'a/y 1')
  expect(takeAll(queue, { perPathOfUser: 2 })).toEqual(['a/x 1', 'a/y 1', 'a/x 2'])
})

test('who was slow lately has fewer places, until that is forgiven', () => {
  const queue = queueOf('a/x 1', 'a/x 2', 'a/x 3', 'b/x 1', 'b/x 2')
  queue.slowDown('a', 100)
  expect(takeAll(queue, { perSlowUser: 1 })).toEqual(['a/x 1', 'b/x 1', 'b/x 2'])
  queue.forgive(99)
  expect(takeAll(queue, { perSlowUser: 1 })).toEqual([])
  queue.forgive(101)
  expect(takeAll(queue, { perSlowUser: 1 })).toEqual(['a/x 2', 'a/x 3'])
  queue.slowDown('a', 200)
  queue.add(job('a/x 4'))
  queue.add(job('a/y 1'))
  expect(takeAll(queue, { perSlowUser: 1 })).toEqual(['a/y 1'])
})

test('users of one group have a part together', () => {
  const queue = new FairQueue<Job>()
  for (const name of ['a/x 1', 'b/x 1', 'c/x 1']) queue.add(job(name, { groups: ['office'] }))
  queue.add(job('d/x 1'))
  expect(takeAll(queue, { perGroup: 2 })).toEqual(['a/x 1', 'b/x 1', 'd/x 1'])
})

test('the last places are for those of whom nothing runs', () => {
  const queue = queueOf('a/x 1', 'a/x 2')
  takeAll(queue, { perUser: 1 })
  queue.add(job('b/x 1'))
  expect(takeAll(queue, { onlyNewcomers: true })).toEqual(['b/x 1'])
})

test('jobs of one serial run one after the other, and hold no place meanwhile', () => {
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

test('what is over is taken out, and the next of its serial comes forward', () => {
  const queue = new FairQueue<Job>()
  for (const n of [1, 2, 3]) queue.add(job(`a/x ${n}`, { serial: 'key' }))
  const names = (jobs: Job[]) => jobs.map(({ name }) => name)
  expect(names(queue.expire(({ name }) => name.endsWith('2')))).toEqual(['a/x 2'])
  expect(names(queue.expire(({ name }) => name.endsWith('1')))).toEqual(['a/x 1'])
  expect(takeAll(queue)).toEqual(['a/x 3'])
  expect(queue.size).toBe(0)
  expect(names(queue.expire(() => true))).toEqual([])
})

test('a full queue sheds the newest of whoever waits for most', () => {
  const queue = queueOf('a/x 1', 'a/x 2', 'a/x 3', 'b/x 1')
  expect(queue.shed('c')?.name).toBe('a/x 3')
  expect(queue.shed('c')?.name).toBe('a/x 2')
  expect(queue.shed('c')).toBeUndefined()
  expect(takeAll(queue)).toEqual(['a/x 1', 'b/x 1'])
})

test('those that wait for the first of their serial can be shed as well', () => {
  const queue = new FairQueue<Job>()
  for (const n of [1, 2, 3]) queue.add(job(`a/x ${n}`, { serial: 'key' }))
  expect(takeAll(queue)).toEqual(['a/x 1'])
  expect(queue.shed('b')?.name).toBe('a/x 3')
  expect(queue.shed('b')).toBeUndefined()
  expect(queue.size).toBe(1)
})
