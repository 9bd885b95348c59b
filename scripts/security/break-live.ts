import type { SecurityBreak } from './break.ts'

const realtime = 'src/server/realtime'
const figures = `${realtime}/limits.ts`
const register = `${realtime}/socket-register.ts`
const verbs = `${realtime}/channel-verbs.ts`
const talk = `${realtime}/talk-limits.ts`
const socket = `${realtime}/socket.ts`
const queue = 'src/server/db/fair-queue.ts'
const options = 'src/server/db/pool-options.ts'
const pool = 'src/server/db/request-pool.ts'
const live = 'tests/api/realtime-limits.test.ts'
const registered = `${realtime}/socket-register.test.ts`
const talked = `${realtime}/talk-limits.test.ts`
const queued = 'src/server/db/fair-queue.test.ts'
const shared = 'tests/api/fair-shares.test.ts'

const connections: readonly SecurityBreak[] = [
  {
    attack: 'sockets in all without end',
    file: register,
    from: "    if (this.#entries.size >= limits.socketsInAll) return 'This server has as many live connections as it can hold'\n",
    to: '',
    test: registered,
    title: 'a server has 10,000 sockets',
  },
  {
    attack: 'sockets of one network without end',
    file: register,
    from: 'if (there.sockets >= limits.socketsOfNetwork)',
    to: 'if (there.sockets < 0)',
    test: registered,
    title: 'a network has 500 sockets',
  },
  limit('300 sockets of one address', 'anonymousOfNetwork: 20', '20 of a network that are not signed in'),
  {
    attack: 'a new address of the same /64 for each socket',
    file: `${realtime}/realtime.ts`,
    from: 'const from = network(addressOf(message))',
    to: 'const from = addressOf(message)',
    test: live,
    title: '20 of a network that are not signed in',
  },
  {
    attack: 'the place of a socket that is gone is never free again',
    file: register,
    from: '    if (entry.user === null) there.anonymous--\n    if (there.sockets === 0)',
    to: '    if (there.sockets === 0)',
    test: live,
    title: 'a place is free again',
  },
  {
    attack: 'anonymous sockets that do nothing stay',
    file: register,
    from: 'if (now - entry.emptySince > limits.anonymousIdleMs) yield socket',
    to: 'if (now < 0) yield socket',
    test: registered,
    title: 'is idle after 30 s',
  },
  {
    attack: 'nobody closes anonymous sockets that do nothing',
    file: `${realtime}/realtime.ts`,
    from: '      socket.close(1008, `Join a channel within',
    to: '      void (`Join a channel within',
    test: live,
    title: 'a socket without a sign-in and without a channel is closed',
  },
  {
    attack: 'sockets of one user without end, from ever new networks',
    file: register,
    from: 'if (own.size >= limits.socketsOfUser)',
    to: 'if (own.size < 0)',
    test: live,
    title: '50 of a user, from anywhere',
  },
  {
    attack: 'sockets of one user without end, by signing in later',
    file: verbs,
    from: '(this.register.identify(channel.socket, sub) ?? this.#ofUsers.refusal(sub, channel.bindings.length))',
    to: 'null',
    test: live,
    title: 'who signs in later is measured then',
  },
  limit('channels of a connection without end', 'channelsOfSocket: 100', '10 channels without a sign-in, 100 with'),
  limit('channels of a stranger without end', 'channelsOfAnonymous: 10', '10 channels without a sign-in, 100 with'),
  limit('channels of one user without end', 'channelsOfUser: 500', '500 channels of a user'),
  limit('100 × 100 bindings', 'bindingsOfChannel: 100', '100 bindings of a channel'),
  limit('bindings of a connection without end', 'bindingsOfSocket: 100', '100 bindings of a channel'),
  limit('bindings of one user without end', 'bindingsOfUser: 500', '100 bindings of a channel'),
  limit('a filter that is dear to look at', 'filterLength: 5_000', 'a filter of 5,000 characters'),
  {
    attack: 'bindings without a member’s token are heard',
    file: verbs,
    from: "    if (channel.listener.role === 'anon') return SIGN_IN\n",
    to: '',
    test: live,
    title: 'but hears no changes',
  },
  {
    attack: 'what strangers ask for is looked at with each write',
    file: `${realtime}/subscription-index.ts`,
    from: 'for (const user of users) {',
    to: 'for (const user of new Set([...users, ...(scoped?.keys() ?? []), ...(whole?.keys() ?? [])])) {',
    test: `${realtime}/subscription-index.test.ts`,
    title: 'looks at what the named users asked for alone',
  },
  {
    attack: 'everybody counts as a member',
    file: 'supabase/migrations/20261124300000_live_members.sql',
    from: ' where m.brand_id = any (p_scopes)',
    to: '',
    test: 'supabase/tests/live-members.test.ts',
    title: 'live changes look at the members of the changed brands alone',
  },
  {
    attack: 'a join whose socket is gone leaves its channel behind',
    file: verbs,
    from: '    if (!socket.isOpen) return\n    const channels',
    to: '    const channels',
    test: live,
    title: 'a join whose socket is gone leaves nothing behind',
  },
  {
    attack: 'a join whose channel is gone leaves its bindings behind',
    file: `${realtime}/hub.ts`,
    from: '    if (!channel.isOpen) return\n    this.index.add',
    to: '    this.index.add',
    test: `${realtime}/hub.test.ts`,
    title: 'a channel that is gone before its tables are read',
  },
  limit(
    'joins of a member without end',
    'joins: { rate: 10, burst: 100 }',
    '100 joins of a member at once',
    '{ rate: Infinity, burst: Infinity }',
  ),
  limit(
    'joins of a stranger without end',
    'anonymousJoins: { rate: 1, burst: 10 }',
    'joins a second',
    '{ rate: 100, burst: 100 }',
  ),
  limit(
    'joins of one user over many sockets without end',
    'userJoins: { rate: 50, burst: 500 }',
    '500 joins of a user at once',
    '{ rate: 9_000, burst: 9_000 }',
  ),
  limit(
    'messages without end',
    'messages: { rate: 100, burst: 100 }',
    'messages and bytes a second',
    '{ rate: 9_000, burst: 9_000 }',
  ),
  limit(
    'bytes without end',
    'bytes: { rate: 256 * 1024, burst: 1024 * 1024 }',
    'messages and bytes a second',
    '{ rate: 1e9, burst: 1e9 }',
  ),
  limit(
    'tokens that must be checked without end',
    'tokens: { rate: 2, burst: 20 }',
    'tokens that must be checked',
    '{ rate: 100, burst: 100 }',
  ),
  {
    attack: 'messages that wait without end',
    file: socket,
    from: 'this.#waiting >= limits.messages.burst || ',
    to: '',
    test: live,
    title: 'messages that wait',
  },
  {
    attack: 'one message that fills the memory',
    file: `${realtime}/realtime.ts`,
    from: 'LARGEST_FRAME = 256 * 1024',
    to: 'LARGEST_FRAME = 100 * 1024 * 1024',
    test: live,
    title: 'a message of more than 256 KiB',
  },
  limit('126 broadcasts of 200 kB', 'broadcastBytes: 64 * 1024', 'the size of a broadcast and of a presence'),
  limit('a presence of any size', 'presenceBytes: 4 * 1024', 'the size of a broadcast and of a presence'),
  limit(
    'broadcasts of one user without end',
    'broadcasts: { rate: 20, burst: 60 }',
    'broadcasts a second of a user',
    '{ rate: 9_000, burst: 9_000 }',
  ),
  limit(
    'presences of one user without end',
    'presences: { rate: 10, burst: 50 }',
    'presences a second of a user',
    '{ rate: 9_000, burst: 9_000 }',
  ),
  {
    attack: 'one user fills the log',
    file: talk,
    from: 'if (!this.#storedOfUser.take(userOf(channel), bytes))',
    to: 'if (!bytes)',
    test: talked,
    title: 'that one account stores in two minutes',
  },
  {
    attack: 'many users fill the log of one topic',
    file: talk,
    from: 'if (!this.#storedOfTopic.take(channel.name, bytes))',
    to: 'if (!bytes)',
    test: talked,
    title: 'that all accounts together store in one topic',
  },
  {
    attack: 'one user fills the log by presences',
    file: talk,
    from: 'at most ${presences.rate} a second. Try again in a second`\n    return this.#refuseStored(channel, bytes)',
    to: 'at most ${presences.rate} a second. Try again in a second`\n    return null',
    test: talked,
    title: 'presences count as well',
  },
]

const shares: readonly SecurityBreak[] = [
  {
    attack: 'one user holds all connections',
    file: options,
    from: 'Math.min(Math.max(1, Math.floor(total / 3)), mostOf(maxConnections))',
    to: 'total',
    test: shared,
    title: '200 slow requests of one person',
  },
  {
    attack: 'one user at the cap holds all connections',
    file: queue,
    from: ' || line.running >= caps.perUser',
    to: '',
    test: queued,
    title: 'a user at the cap waits',
  },
  {
    attack: 'who is slow keeps all places of a user',
    file: queue,
    from: '        if (isSlow && line.runningPaths.of(path) > 0) continue\n',
    to: '',
    test: queued,
    title: 'who was slow lately has fewer places',
  },
  {
    attack: 'nobody is told to be slow',
    file: pool,
    from: '      if (now - job.startedAt > HEAVY_MS) this.#queue.slowDown(job.user, now + REMEMBER_SLOW_MS)\n',
    to: '',
    test: 'src/server/db/request-pool.test.ts',
    title: 'who is slow has three places and one a path',
  },
  {
    attack: 'a path takes all places of a user',
    file: queue,
    from: ' || line.runningPaths.of(path) >= caps.perPathOfUser',
    to: '',
    test: queued,
    title: 'a path takes no user all of their places',
  },
  {
    attack: 'a path takes all connections',
    file: queue,
    from: 'this.#runningPaths.of(path) >= caps.perPath || ',
    to: '',
    test: queued,
    title: 'a path at the cap waits',
  },
  {
    attack: 'users of one network take all connections',
    file: queue,
    from: 'if (job.groups.every((group) => this.#runningGroups.of(group) < caps.perGroup)) return job',
    to: 'return job',
    test: queued,
    title: 'users of one group have a part together',
  },
  {
    attack: 'the server does not say from which network a request comes',
    file: 'src/server/rest/rest.ts',
    from: "groups: caller.role === 'service_role' ? [] : [from],",
    to: 'groups: [],',
    test: shared,
    title: 'many people of one network',
  },
  {
    attack: 'the last places go to whoever has some already',
    file: queue,
    from: '      if (caps.onlyNewcomers && line.running > 0) continue\n',
    to: '',
    test: queued,
    title: 'the last places are for those of whom nothing runs',
  },
  {
    attack: 'the last fifth is for everybody',
    file: pool,
    from: 'caps.onlyNewcomers = busy >= mostOf(this.#total)',
    to: 'caps.onlyNewcomers = busy < 0',
    test: 'src/server/db/request-pool.test.ts',
    title: 'the last fifth is for users of whom nothing runs',
  },
  ...(
    [
      ['a network has all connections', 'Math.floor((total * 2) / 3)', 'total'],
      ['a slow user keeps a third of the connections', 'Math.min(perUser, SLOW_OF_USER)', 'perUser'],
      ['a path has all connections', 'perPath: mostOf(maxConnections)', 'perPath: total'],
      ['a path has all places of a user', 'perPathOfUser: mostOf(perUser)', 'perPathOfUser: perUser'],
    ] as const
  ).map(([attack, from, to]) => ({
    attack,
    file: options,
    from,
    to,
    test: 'src/server/db/pool-options.test.ts',
    title: 'the shares are those that docs/security.md names',
  })),
  {
    attack: '200 writes with one Idempotency-Key hold a connection each',
    file: queue,
    from: '    if (before) {\n      before.push(job)\n      return\n    }\n',
    to: '',
    test: shared,
    title: '200 writes under one key',
  },
  {
    attack: 'who hangs up has the next connection at once',
    file: pool,
    from: '      job.cancelledAt = now\n      connection.cancel()\n    } else if (now - job.cancelledAt > CANCEL_MS) connection.abandon(hungUp())',
    to: '      job.cancelledAt = now\n      connection.abandon(hungUp())\n    }',
    test: shared,
    title: 'who hangs up makes no new connection',
  },
  {
    attack: 'a statement whose wire is cut frees its place at once',
    file: pool,
    from: '    }, GHOST_MS).unref()',
    to: '    }, 0).unref()',
    test: 'src/server/db/request-pool.test.ts',
    title: 'a wire that is cut frees no place before PostgreSQL has noticed',
  },
  {
    attack: 'a wire that we cut ourselves has the schema read anew',
    file: pool,
    from: '    if (connection.abandoned) return\n    this.#size--',
    to: '    this.#size--',
    test: 'tests/api/rest-limits.test.ts',
    title: 'what a function answers',
  },
  {
    attack: 'one user takes all waiting places',
    file: pool,
    from: '      return Promise.reject(new TooManyWaiting(`${maxWaitingOfUser} of your requests',
    to: '      void (new TooManyWaiting(`${maxWaitingOfUser} of your requests',
    test: shared,
    title: 'whoever sends more than may wait',
  },
  {
    attack: 'with all waiting places taken everybody hears 503',
    file: pool,
    from: 'const shed = this.#queue.shed(user)',
    to: 'const shed = this.#queue.shed(user) && undefined',
    test: 'src/server/db/request-pool.test.ts',
    title: 'a full queue sheds whoever waits for most',
  },
  {
    attack: 'requests wait without end',
    file: pool,
    from: '(job) => now - job.enqueuedAt > this.#options.acquireMs || job.signal?.aborted === true',
    to: '(job) => job.signal?.aborted === true',
    test: 'src/server/db/request-pool.test.ts',
    title: 'the wait for a connection is bounded',
  },
  {
    attack: 'waiting requests without end',
    file: pool,
    from: 'if (this.#queue.size >= maxWaiting) {',
    to: 'if (this.#queue.size < 0) {',
    test: 'src/server/db/request-pool.test.ts',
    title: 'the queue is bounded',
  },
  {
    attack: 'a regular expression runs as long as an honest statement may',
    file: 'src/server/rest/rest.ts',
    from: 'const PATTERN_TIMEOUT_MS = 2000',
    to: 'const PATTERN_TIMEOUT_MS = 8000',
    test: shared,
    title: 'a slow regular expression ends after two seconds',
  },
]

/** The live connection, and the shares of the database's connections. */
export const breaksOfLive: readonly SecurityBreak[] = [...connections, ...shares]

/** A figure of the live connection that is raised. */
function limit(attack: string, from: string, title: string, raised = 'Infinity'): SecurityBreak {
  return { attack, file: figures, from, to: `${from.split(':')[0]}: ${raised}`, test: live, title }
}
