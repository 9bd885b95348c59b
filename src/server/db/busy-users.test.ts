import { expect, test } from 'vitest'
import { BusyUsers } from './busy-users.ts'

/**
 * Records `count` started requests of a user, 10 ms apart after `now`. Each has waited `wait` ms. Then calls `judge`. Returns the
 * time of the last start (ms).
 */
function startAll(users: BusyUsers, user: string, now: number, count: number, wait: number): number {
  for (let n = 0; n < count; n++) users.recordWait(user, wait, (now += 10))
  users.judge(now)
  return now
}

test('a user is busy while most of their requests start late, and is not busy after an interval of quick starts or without starts', () => {
  const users = new BusyUsers()
  let now = startAll(users, 'ana', 0, 30, 200)
  expect(users.has('ana')).toBe(true)
  now = startAll(users, 'ana', now, 30, 10)
  expect(users.has('ana')).toBe(false)
  now = startAll(users, 'ana', now, 30, 200)
  expect(users.has('ana')).toBe(true)
  users.judge(now + 300)
  expect(users.has('ana')).toBe(false)
})

test('a user whose requests wait only briefly is not busy while another user is', () => {
  const users = new BusyUsers()
  for (let now = 0; now < 300; now += 10) {
    users.recordWait('ana', 400, now)
    users.recordWait('bo', 60, now)
  }
  users.judge(300)
  expect([users.has('ana'), users.has('bo'), users.has('zoe')]).toEqual([true, false, false])
})

test('a few late requests, which may have waited for a lock, do not make a user busy', () => {
  const users = new BusyUsers()
  startAll(users, 'ana', 0, 5, 3_000)
  users.judge(300)
  expect(users.has('ana')).toBe(false)
})

test('waits are measured only for a user whose requests wait long, until one second after the last long wait', () => {
  const users = new BusyUsers()
  let now = startAll(users, 'bo', 0, 30, 5)
  expect(users.size).toBe(0)
  now = startAll(users, 'ana', now, 30, 200)
  now = startAll(users, 'ana', now, 30, 5)
  expect(users.size).toBe(1)
  users.judge(now + 1_000)
  expect(users.size).toBe(0)
})
