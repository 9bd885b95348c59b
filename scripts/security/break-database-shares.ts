import type { SecurityBreak } from './break.ts'

const queue = 'src/server/db/fair-queue.ts'
const options = 'src/server/db/pool-options.ts'
const pool = 'src/server/db/request-pool.ts'
const queued = 'src/server/db/fair-queue.test.ts'
const shared = 'tests/api/fair-shares.test.ts'

/** The shares of the database connections. */
export const breaksOfDatabaseShares: readonly SecurityBreak[] = [
  {
    attack: 'one user holds all connections',
    file: options,
    from: 'Math.min(Math.max(1, Math.floor(total / 3)), allButAFifth(maxConnections))',
    to: 'total',
    test: 'src/server/db/pool-options.test.ts',
    title: 'the default limits of the request pool are those that docs/security.md states',
  },
  {
    attack: 'one user at the cap holds all connections',
    file: queue,
    from: ' || queue.running >= limits.perUser',
    to: '',
    test: queued,
    title: 'a user who has reached the limit on running jobs must wait, and the other users continue',
  },
  {
    attack: 'slow requests of a user take all connections of that user',
    file: queue,
    from: '      if (isSlow && runningOfUser > 0) continue\n',
    to: '',
    test: queued,
    title: 'a user with slow requests may run fewer jobs for a while',
  },
  {
    attack: 'no request is ever marked as slow',
    file: pool,
    from: '      if (now - job.startedAt > heavyAfterMs) this.#queue.limitUser(job.user, now + rememberSlowMs)\n',
    to: '',
    test: 'src/server/db/request-pool.test.ts',
    title: 'a user with slow requests may use at most three connections for one path',
  },
  {
    attack: 'requests to one path take all connections of a user',
    file: queue,
    from: ' || runningOfUser >= limits.perPathOfUser',
    to: '',
    test: queued,
    title: 'one path cannot use all connections of its user',
  },
  {
    attack: 'requests to one path take all connections',
    file: queue,
    from: 'this.#runningPaths.of(path) >= limits.perPath || ',
    to: '',
    test: queued,
    title: 'when a path has reached its limit on running jobs, its next job waits, whichever user sent it',
  },
  {
    attack: 'users of one network take all connections',
    file: queue,
    from: 'if (job.groups.every((group) => this.#runningGroups.of(group) < limits.perGroup)) return job',
    to: 'return job',
    test: queued,
    title: 'users of one group share a limit',
  },
  {
    attack: 'requests of one network share no limit, because the queue does not know their network',
    file: 'src/server/rest/rest.ts',
    from: "groups: caller.role === 'service_role' ? [] : [groupOf(request.ip)],",
    to: 'groups: [],',
    test: shared,
    title: 'many people of one network',
  },
  {
    attack: 'the last connections go to users who already have some',
    file: queue,
    from: '    if (limits.onlyIdleUsers && queue.running > 0) return undefined\n',
    to: '',
    test: queued,
    title: 'the last connections are reserved for users without a running request',
  },
  {
    attack: 'the last fifth of the connections is not reserved',
    file: pool,
    from: 'limits.onlyIdleUsers = busy >= allButAFifth(this.#total)',
    to: 'limits.onlyIdleUsers = busy < 0',
    test: 'src/server/db/request-pool.test.ts',
    title: 'the last fifth of the connections is reserved for users without a running request',
  },
  ...(
    [
      ['one network has all connections', 'Math.floor((total * 2) / 3)', 'total'],
      ['a slow user keeps a third of the connections', 'Math.min(perUser, slowRequestsPerUser)', 'perUser'],
      ['one path has all connections', 'perPath: allButAFifth(maxConnections)', 'perPath: total'],
      ['one path has all connections of a user', 'perPathOfUser: allButAFifth(perUser)', 'perPathOfUser: perUser'],
    ] as const
  ).map(([attack, from, to]) => ({
    attack,
    file: options,
    from,
    to,
    test: 'src/server/db/pool-options.test.ts',
    title: 'the default limits of the request pool are those that docs/security.md states',
  })),
  {
    attack: '200 writes with one Idempotency-Key hold a connection each',
    file: queue,
    from: '    if (waiting) {\n      waiting.push(job)\n      return\n    }\n',
    to: '',
    test: shared,
    title: '200 writes with one idempotency key wait in the server, not each on a connection',
  },
  {
    attack: 'a client that disconnects gets the next connection at once',
    file: pool,
    from: '      job.cancelledAt = now\n      connection.cancel()\n    } else if (now - job.cancelledAt > cancelIntervalMs) connection.abandon(clientDisconnected())',
    to: '      job.cancelledAt = now\n      connection.abandon(clientDisconnected())\n    }',
    test: shared,
    title: 'a client that disconnects causes no new connection to the database',
  },
  {
    attack: 'a statement whose connection is cut no longer counts, although it still runs',
    file: pool,
    from: '    }, cutStatementMs).unref()',
    to: '    }, 0).unref()',
    test: 'src/server/db/request-pool.test.ts',
    title:
      'a connection that the pool cut counts as a busy connection of its user until PostgreSQL has noticed the cut',
  },
  {
    attack: 'a connection that the server cuts itself makes it read the schema again',
    file: pool,
    from: '    if (connection.isAbandoned) return\n    this.#size--',
    to: '    this.#size--',
    test: 'tests/api/rest-limits.test.ts',
    title: 'the connection is dropped if the result of a function is too large, and the next request is served',
  },
  {
    attack: 'one user fills the queue',
    file: pool,
    from: '      return Promise.reject(new TooManyWaitingError(`${maxWaitingOfUser} of your requests',
    to: '      void (new TooManyWaitingError(`${maxWaitingOfUser} of your requests',
    test: shared,
    title: 'a user who sends more requests than may wait',
  },
  {
    attack: 'with a full queue, everybody gets 503',
    file: pool,
    from: 'const shed = this.#queue.shed(user, team)',
    to: 'const shed = this.#queue.shed(user, team) && undefined',
    test: 'src/server/db/request-pool.test.ts',
    title: 'a full queue refuses a request of the user with the most waiting requests',
  },
  {
    attack: 'requests wait without a timeout',
    file: 'src/server/db/wait-limit.ts',
    from: 'now - enqueuedAt > this.usualMs || ',
    to: '',
    test: 'src/server/db/request-pool.test.ts',
    title: 'the wait for a connection is limited',
  },
  {
    attack: 'an unlimited number of waiting requests',
    file: pool,
    from: 'if (this.#queue.size >= maxWaiting) {',
    to: 'if (this.#queue.size < 0) {',
    test: 'src/server/db/request-pool.test.ts',
    title: 'the queue is limited: a request that finds it full is refused at once',
  },
  {
    attack: 'a regular expression may run as long as other statements',
    file: 'src/server/rest/rest.ts',
    from: 'const patternTimeoutMs = 2000',
    to: 'const patternTimeoutMs = 8000',
    test: shared,
    title: 'a slow regular expression ends after two seconds',
  },
]
