import type { SecurityBreak } from './break.ts'

const authFolder = 'src/server/auth'
const rateLimitsFile = `${authFolder}/rate-limits.ts`
const hashQueueFile = `${authFolder}/hash-queue.ts`
const authFile = `${authFolder}/auth.ts`
const rateLimitsTest = 'tests/api/auth-rate-limits.test.ts'
const hashQueueTest = `${authFolder}/hash-queue.test.ts`
const signInQueueTest = 'tests/api/sign-in-queue.test.ts'

/** Breaks of the limits on guesses of passwords, and of the queue of sign-ins. */
export const breaksOfSignIns: readonly SecurityBreak[] = [
  {
    attack: 'an unlimited number of successful sign-ins of one account',
    file: rateLimitsFile,
    from: ' || counts.right_of_account >= perIp',
    to: '',
    test: rateLimitsTest,
    title: 'rate limits count successful sign-ins too, and allow thirty on an account in five minutes',
  },
  {
    attack: 'successful sign-ins are not counted',
    file: rateLimitsFile,
    from: '    await count(db, [right], 1)\n',
    to: '',
    test: rateLimitsTest,
    title: 'rate limits count successful sign-ins too, and allow thirty on an account in five minutes',
  },
  {
    attack: 'an unlimited number of sign-ins of one network',
    file: rateLimitsFile,
    from: 'counts.of_address >= maxAttempts || ',
    to: '',
    test: rateLimitsTest,
    title: 'rate limits count all attempts from a network address, over all accounts: wrong, right, and sign-ups',
  },
  {
    attack: 'an unknown network has the limit of an office',
    file: rateLimitsFile,
    from: 'counts.is_familiar ? sharedIpFactor * perIp : perIp',
    to: 'sharedIpFactor * perIp',
    test: rateLimitsTest,
    title: 'rate limits count all attempts from a network address, over all accounts: wrong, right, and sign-ups',
  },
  {
    attack: 'an office without a limit',
    file: rateLimitsFile,
    from: 'const sharedIpFactor = 4',
    to: 'const sharedIpFactor = Infinity',
    test: rateLimitsTest,
    title:
      'rate limits accept people with a session from a network address that has used up its limit, up to a higher limit for the whole address',
  },
  {
    attack: 'simultaneous sign-ups pass before the first of them is counted',
    file: rateLimitsFile,
    from: 'if ((rows[0]?.ordinal ?? 0) <= perIp) return',
    to: 'if (rows.length > 0) return',
    test: rateLimitsTest,
    title: 'rate limits let no more than thirty of sixty simultaneous sign-ups pass',
  },
  {
    attack: 'an unlimited number of wrong passwords of an account',
    file: rateLimitsFile,
    from: 'if (isAccountThrottled(counts)) throw rateLimitRefusal(60)',
    to: '',
    test: rateLimitsTest,
    title: 'no more than ten guesses a minute',
  },
  {
    attack: 'an unlimited number of wrong passwords each from a new network',
    file: rateLimitsFile,
    from: ' || counts.wrong_of_account >= 2 * wrongPasswordsPerMinute',
    to: '',
    test: rateLimitsTest,
    title: 'no more than ten guesses a minute',
  },
  {
    attack: 'one attacker locks an account for all networks',
    file: rateLimitsFile,
    from: 'counts.wrong_of_pair_lately > 0 || ',
    to: '',
    test: rateLimitsTest,
    title: 'rate limits let the owner of an account sign in from another network address while guessing goes on',
  },
  {
    attack: 'a new network address of the same /64 has a new limit',
    file: rateLimitsFile,
    from: "counterKeyOf('address', networkOf(ip))",
    to: "counterKeyOf('address', ip)",
    test: rateLimitsTest,
    title: 'rate limits count a /64 as one network',
  },
  {
    attack: 'strangers of one network wait before everybody else',
    file: hashQueueFile,
    from: '        jobsByNetwork.delete(network)\n        if (accounts.size > 0) jobsByNetwork.set(network, accounts)\n',
    to: '        if (accounts.size === 0) jobsByNetwork.delete(network)\n',
    test: hashQueueTest,
    title: 'networks take turns in the hash queue, and so do the accounts of a network',
  },
  {
    attack: 'one account of a network waits before its others',
    file: hashQueueFile,
    from: '        accounts.delete(account)\n        if (jobs.length > 0) accounts.set(account, jobs)\n',
    to: '        if (jobs.length === 0) accounts.delete(account)\n',
    test: hashQueueTest,
    title: 'networks take turns in the hash queue, and so do the accounts of a network',
  },
  {
    attack: 'parallel guesses at one account',
    file: hashQueueFile,
    from: '        if (busyAccounts.has(account)) continue\n',
    to: '',
    test: hashQueueTest,
    title: 'the hash queue runs one job at a time per account, even if more jobs could run',
  },
  {
    attack: 'one network fills the queue',
    file: hashQueueFile,
    from: 'countJobs(accounts) >= maxWaitingOfNetwork || ',
    to: '',
    test: hashQueueTest,
    title:
      'the hash queue refuses jobs of a network or account above its limit with 429, and no job of another network',
  },
  {
    attack: 'one account fills the share of its network in the queue',
    file: hashQueueFile,
    from: ' || jobs.length >= maxWaitingOfAccount',
    to: '',
    test: hashQueueTest,
    title:
      'the hash queue refuses jobs of a network or account above its limit with 429, and no job of another network',
  },
  {
    attack: 'with a full queue, new requests get 503 regardless of the network',
    file: hashQueueFile,
    from: 'if (largest === undefined || countJobs(largest[1]) <= countJobs(ownJobs) + 1) {',
    to: 'if (largest !== null) {',
    test: hashQueueTest,
    title:
      'a full hash queue refuses the newest job of the network with the most jobs; if every network has one job, it refuses the new job with 503',
  },
  {
    attack: 'an unlimited queue',
    file: hashQueueFile,
    from: '    if (waiting >= maxWaiting) makeRoomFor(accounts)\n',
    to: '',
    test: hashQueueTest,
    title:
      'a full hash queue refuses the newest job of the network with the most jobs; if every network has one job, it refuses the new job with 503',
  },
  {
    attack: 'the server gives one network the whole queue',
    file: authFile,
    from: 'maxWaitingOfNetwork: 128,\n  maxWaitingOfAccount: 64',
    to: 'maxWaitingOfNetwork: 256,\n  maxWaitingOfAccount: 256',
    test: signInQueueTest,
    title: 'cause no 503',
  },
  {
    attack: 'all networks wait in one line at sign-in',
    file: `${authFolder}/sign-in.ts`,
    from: 'hashQueue.run({ account: email, network: networkOf(request.ip) }',
    to: "hashQueue.run({ account: email, network: '' }",
    test: signInQueueTest,
    title:
      'hundreds of sign-ins from one network move another network back by a few positions in the queue at most, and cause no 503',
  },
]
