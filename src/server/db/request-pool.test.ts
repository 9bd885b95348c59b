import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type TestDatabase, testDatabase } from '#tests/harness/database.ts'
import { type CallerContext, TooManyWaitingError, UnavailableError } from './as-caller.ts'
import { externalConnection } from './external-database.ts'
import { RequestPool } from './request-pool.ts'

const contextFor = (path: string): CallerContext => ({
  role: 'postgres',
  claims: '{}',
  headers: '{}',
  method: 'GET',
  path,
  user: path,
  timeoutMs: 5_000,
})
const sleepFor = (seconds: number) => [{ text: 'select pg_sleep($1)', values: [seconds] }]
/** A statement that waits while the lock of `takeLock` is held. */
const waitForLock = [{ text: 'select pg_advisory_xact_lock_shared(7)', values: [] }]

/**
 * Takes the lock that `waitForLock` needs. The returned function releases it. On a busy machine, a statement that waits for
 * a lock ends more reliably at the right moment than one that waits for a time.
 */
async function takeLock(): Promise<() => Promise<void>> {
  const client = await database.owner.connect()
  await client.query('select pg_advisory_lock(7)')
  return async () => {
    await client.query('select pg_advisory_unlock(7)')
    client.release()
  }
}

const selectOne = [{ text: 'select 1 as n', values: [] }]

/**
 * Opens a pool with four connections, all of them open. Its limits on waiting requests are the defaults, as in a real
 * server. The clock of the pool stands still until the test advances it, so that the speed of the machine has no effect.
 */
async function busyPool(): Promise<RequestPool> {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
  // The faked clock begins at 0. The pool opens no connection at this time.
  vi.advanceTimersByTime(1)
  const busy = new RequestPool({
    connection: { ...externalConnection(database.url), application_name: 'busy' },
    log: pino({ level: 'silent' }),
    onReconnect: () => {},
    maxConnections: 4,
    maxExtraConnections: 0,
  })
  await busy.warm()
  const release = await takeLock()
  const first = [1, 2, 3, 4].map((user) => busy.run(contextFor(`first ${user}`), waitForLock))
  await expect.poll(() => busy.figures.busy).toBe(4)
  await release()
  await Promise.all(first)
  return busy
}

let database: TestDatabase
let pool: RequestPool
let reconnects = 0

beforeEach(async () => {
  database = await testDatabase({ empty: true })
  reconnects = 0
  pool = new RequestPool({
    connection: { ...externalConnection(database.url), application_name: 'pool' },
    log: pino({ level: 'silent' }),
    onReconnect() {
      reconnects++
    },
    maxConnections: 2,
    maxExtraConnections: 0,
    maxWaiting: 3,
    acquireTimeoutMs: 600,
  })
  await pool.warm()
})

afterEach(async () => {
  vi.useRealTimers()
  await pool.close()
  await database.drop()
})

test('the queue is limited: a request that finds it full is refused at once', async () => {
  const release = await takeLock()
  const lockedRequests = [pool.run(contextFor('a'), waitForLock), pool.run(contextFor('b'), waitForLock)]
  const waiting = ['a', 'b', 'c'].map((path) => pool.run(contextFor(path), selectOne))
  const refused = pool.run(contextFor('d'), selectOne).catch((error: Error) => error.message)
  expect(await Promise.race([refused, ...waiting, ...lockedRequests])).toBe('Too many requests are waiting')
  await release()
  expect(await Promise.all(waiting)).toHaveLength(3)
  await Promise.all(lockedRequests)
})

test('a full queue refuses a request of the user with the most waiting requests', async () => {
  const release = await takeLock()
  const lockedRequests = [pool.run(contextFor('a'), waitForLock), pool.run(contextFor('b'), waitForLock)]
  const waiting = [1, 2, 3].map(() => pool.run(contextFor('a'), selectOne).catch((error: Error) => error.message))
  const other = pool.run(contextFor('d'), selectOne).catch((error: Error) => error.message)
  await release()
  expect(await other).toEqual([expect.anything()])
  expect(await waiting[2]).toBe('Too many requests are waiting, most of them yours or of your team')
  await Promise.all([...lockedRequests, ...waiting])
})

test('a connection that the pool cut counts as a busy connection of its user until PostgreSQL has noticed the cut', async () => {
  const large = [{ text: `select repeat('x', 3000000)`, values: [] }]
  const refused = pool.run({ ...contextFor('a'), takeBytes: () => false }, large)
  await expect(refused).rejects.toThrow('Too many large results')
  await expect(pool.run(contextFor('a'), selectOne)).rejects.toBeInstanceOf(UnavailableError)
  await expect(pool.run(contextFor('b'), selectOne)).resolves.toHaveLength(1)
})

/** Opens a pool with the given numbers of connections. `countRunning` returns how many of its requests run now. */
async function openWidePool(options: { maxConnections: number; maxExtraConnections: number }) {
  const connection = { ...externalConnection(database.url), application_name: 'wider' }
  const widePool = new RequestPool({ connection, log: pino({ level: 'silent' }), onReconnect() {}, ...options })
  await widePool.warm()
  const runningQuery = `select count(*)::int as n from pg_stat_activity where application_name = 'wider' and datname = current_database()
    and state = 'active'`
  return {
    widePool,
    countRunning: async () => (await database.owner.query<{ n: number }>(runningQuery)).rows[0]?.n ?? 0,
  }
}

test('the last fifth of the connections is reserved for users without a running request', async () => {
  const { widePool, countRunning } = await openWidePool({ maxConnections: 10, maxExtraConnections: 0 })
  const release = await takeLock()
  const lockedRequests = ['a', 'b', 'c'].flatMap((user) =>
    [1, 2, 3].map((n) => widePool.run({ ...contextFor(`${user}/${n}`), user }, waitForLock)),
  )
  await expect.poll(countRunning).toBeGreaterThanOrEqual(8)
  await sleep(200)
  expect(await countRunning()).toBe(8)
  await widePool.run({ ...contextFor('d'), user: 'd' }, selectOne)
  expect(await countRunning()).toBe(8)
  await release()
  await Promise.all(lockedRequests)
  await widePool.close()
})

test('a user with slow requests may use at most three connections for one path', async () => {
  const { widePool, countRunning } = await openWidePool({ maxConnections: 10, maxExtraConnections: 20 })
  await widePool.run({ ...contextFor('x'), user: 'a' }, sleepFor(1))
  const requests = Array.from({ length: 6 }, () => widePool.run({ ...contextFor('x'), user: 'a' }, sleepFor(0.5)))
  await sleep(300)
  expect(await countRunning()).toBe(3)
  await Promise.all(requests)
  await widePool.close()
})

test('a request that gets no connection in time is refused', async () => {
  const release = await takeLock()
  const lockedRequests = [pool.run(contextFor('a'), waitForLock), pool.run(contextFor('b'), waitForLock)]
  const waiting = pool.run(contextFor('c'), selectOne).catch((error: unknown) => error)
  const timedOut = lockedRequests.map((request) => request.catch((error: unknown) => error))
  expect(await Promise.race([waiting, ...timedOut])).toBeInstanceOf(UnavailableError)
  await release()
  await Promise.all(lockedRequests)
})

test('one path cannot use all connections: one connection is left for other paths', async () => {
  const release = await takeLock()
  const lockedRequests = [pool.run(contextFor('a'), waitForLock), pool.run(contextFor('a'), waitForLock)]
  expect(await Promise.race([pool.run(contextFor('b'), selectOne).then(() => 'other'), ...lockedRequests])).toBe(
    'other',
  )
  await release()
  await Promise.all(lockedRequests)
})

test('a pool that closes lets running and waiting requests finish, and accepts no new ones', async () => {
  const running = pool.run(contextFor('a'), sleepFor(0.2))
  const waiting = pool.run(contextFor('a'), selectOne)
  const closed = pool.close()
  await expect(pool.run(contextFor('b'), selectOne)).rejects.toThrow('The server is stopping')
  expect((await running)[0]?.rowCount).toBe(1)
  expect((await waiting)[0]?.rows).toEqual([{ n: '1' }])
  await closed
})

test('while the database accepts no connections, requests are refused at once; afterwards requests succeed again, and the reconnect is reported once', async () => {
  const { rows } = await database.owner.query('select current_database() as name')
  const neighbour = await testDatabase({ empty: true })
  const { name } = rows[0]
  await neighbour.owner.query(`alter database ${name} allow_connections false`)
  await neighbour.owner.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'pool' and datname = $1`,
    [name],
  )
  const waitForUnreachable = async (wanted: boolean) => {
    const deadline = performance.now() + 3_000
    while (pool.isUnreachable !== wanted) {
      expect(performance.now()).toBeLessThan(deadline)
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  }
  await waitForUnreachable(true)
  const began = performance.now()
  await expect(pool.run(contextFor('a'), selectOne)).rejects.toMatchObject({ name: 'UnavailableError', retryAfter: 1 })
  // The request did not wait for a connection, which would take 600 ms.
  expect(performance.now() - began).toBeLessThan(500)
  await neighbour.owner.query(`alter database ${name} allow_connections true`)
  await waitForUnreachable(false)
  expect((await pool.run(contextFor('a'), selectOne))[0]?.rows).toEqual([{ n: '1' }])
  expect(reconnects).toBe(1)
  await neighbour.drop()
})

test('under overload, late requests are refused with different times for the next attempt, and afterwards requests succeed again', async () => {
  const busy = await busyPool()
  const retryAfters = new Set<number>()
  const requests = Array.from({ length: 800 }, (_, index) =>
    busy.run(contextFor(`user ${index % 20}`), selectOne).then(
      () => {
        // As if each statement took 10 ms: four connections then send a response each 2.5 ms.
        vi.advanceTimersByTime(2.5)
        return 'answered'
      },
      (error: unknown) => {
        if (error instanceof UnavailableError) retryAfters.add(error.retryAfter)
        return 'refused'
      },
    ),
  )
  const answers = await Promise.all(requests)
  expect(answers.filter((answer) => answer === 'answered').length).toBeGreaterThan(20)
  expect(answers.filter((answer) => answer === 'refused').length).toBe(busy.overload.refused)
  expect(retryAfters).toEqual(new Set([1, 2, 3]))
  vi.advanceTimersByTime(600)
  expect(await busy.run(contextFor('afterwards'), selectOne)).toHaveLength(1)
  expect(busy.overload.isOverloaded).toBe(false)
  await busy.close()
})

test('the late requests of a user who sends too many are refused, although the requests of other users do not wait', async () => {
  const busy = await busyPool()
  const outcomes: (string | Error)[] = []
  const requests = Array.from({ length: 190 }, () =>
    busy.run(contextFor('many'), sleepFor(0.01)).then(
      () => {
        vi.advanceTimersByTime(10)
        outcomes.push('answered')
      },
      (error: Error) => void outcomes.push(error),
    ),
  )
  // Meanwhile three other users send requests, each of them one after another.
  let delayedCount = 0
  const others = [1, 2, 3].map(async (user) => {
    let answered = 0
    for (; outcomes.length < requests.length; answered++) {
      const { waiting } = busy.figures
      const answer = busy.run(contextFor(`user ${user}`), selectOne)
      if (busy.figures.waiting > waiting) delayedCount++
      await answer
    }
    return answered
  })
  const answered = await Promise.all(others)
  await Promise.all(requests)
  const refusals = outcomes.filter((outcome) => outcome !== 'answered')
  expect(refusals.length).toBeGreaterThan(50)
  expect(refusals.length).toBeLessThan(185)
  expect(refusals.every((refusal) => refusal instanceof TooManyWaitingError)).toBe(true)
  expect(busy.overload).toEqual({ isOverloaded: false, refused: refusals.length })
  // Each request of the other users got a connection at once. Meanwhile the user with many requests got about 30 responses,
  // each after 10 ms. If each request of the other users waited 50 ms, they would get ten responses.
  expect(delayedCount).toBe(0)
  for (const count of answered) expect(count).toBeGreaterThan(30)
  await busy.close()
})
