import type { SecurityBreak } from './break.ts'

const auth = 'src/server/auth'
const rates = `${auth}/rate-limits.ts`
const queue = `${auth}/hash-queue.ts`
const places = `${auth}/auth.ts`
const attempts = 'tests/api/auth-rate-limits.test.ts'
const hashes = `${auth}/hash-queue.test.ts`
const waiting = 'tests/api/sign-in-queue.test.ts'

/** Breaks of the limits on guesses of passwords, and of the queue of sign-ins. */
export const breaksOfSignIns: readonly SecurityBreak[] = [
  {
    attack: 'an unlimited number of right sign-ins of one account',
    file: rates,
    from: ' || counts.right_of_account >= perIp',
    to: '',
    test: attempts,
    title: 'rate limits count successful sign-ins too, and allow thirty on an account in five minutes',
  },
  {
    attack: 'right sign-ins are not counted',
    file: rates,
    from: '    await count(db, [right], 1)\n',
    to: '',
    test: attempts,
    title: 'rate limits count successful sign-ins too, and allow thirty on an account in five minutes',
  },
  {
    attack: 'an unlimited number of sign-ins of one network',
    file: rates,
    from: 'counts.of_address >= most || ',
    to: '',
    test: attempts,
    title: 'rate limits count all attempts from a network address, over all accounts: wrong, right, and sign-ups',
  },
  {
    attack: 'an unknown network has the limit of an office',
    file: rates,
    from: 'counts.is_familiar ? sharedIpFactor * perIp : perIp',
    to: 'sharedIpFactor * perIp',
    test: attempts,
    title: 'rate limits count all attempts from a network address, over all accounts: wrong, right, and sign-ups',
  },
  {
    attack: 'an office without a limit',
    file: rates,
    from: 'const sharedIpFactor = 4',
    to: 'const sharedIpFactor = Infinity',
    test: attempts,
    title:
      'rate limits accept people with a session from a network address that has used up its limit, up to a higher limit for the whole address',
  },
  {
    attack: 'sign-ups at once pass before the first is counted',
    file: rates,
    from: 'if ((rows[0]?.ordinal ?? 0) <= perIp) return',
    to: 'if (rows.length > 0) return',
    test: attempts,
    title: 'rate limits let no more than thirty of sixty simultaneous sign-ups pass',
  },
  {
    attack: 'an unlimited number of wrong passwords of an account',
    file: rates,
    from: 'if (isAccountThrottled(counts)) throw rateLimitRefusal(60)',
    to: '',
    test: attempts,
    title: 'no more than ten guesses a minute',
  },
  {
    attack: 'an unlimited number of wrong passwords from ever new networks',
    file: rates,
    from: ' || counts.wrong_of_account >= 2 * wrongPasswordsPerMinute',
    to: '',
    test: attempts,
    title: 'no more than ten guesses a minute',
  },
  {
    attack: 'one attacker locks an account for all networks',
    file: rates,
    from: 'counts.wrong_of_pair_lately > 0 || ',
    to: '',
    test: attempts,
    title: 'rate limits let the owner of an account sign in from another network address while guessing goes on',
  },
  {
    attack: 'a new network address of the same /64 has a new limit',
    file: rates,
    from: "counterKeyOf('address', networkOf(ip))",
    to: "counterKeyOf('address', ip)",
    test: attempts,
    title: 'rate limits count a /64 as one network',
  },
  {
    attack: 'strangers of one network wait before everybody else',
    file: queue,
    from: '        networks.delete(network)\n        if (accounts.size > 0) networks.set(network, accounts)\n',
    to: '        if (accounts.size === 0) networks.delete(network)\n',
    test: hashes,
    title: 'networks take turns in the hash queue, and so do the accounts of a network',
  },
  {
    attack: 'one account of a network waits before its others',
    file: queue,
    from: '        accounts.delete(account)\n        if (jobs.length > 0) accounts.set(account, jobs)\n',
    to: '        if (jobs.length === 0) accounts.delete(account)\n',
    test: hashes,
    title: 'networks take turns in the hash queue, and so do the accounts of a network',
  },
  {
    attack: 'parallel guesses at one account',
    file: queue,
    from: '        if (busy.has(account)) continue\n',
    to: '',
    test: hashes,
    title: 'the hash queue runs one job at a time per account, even if more jobs could run',
  },
  {
    attack: 'one network fills the queue',
    file: queue,
    from: 'countJobs(accounts) >= maxWaitingOfNetwork || ',
    to: '',
    test: hashes,
    title:
      'the hash queue refuses jobs of a network or account above its limit with 429, and no job of another network',
  },
  {
    attack: 'one account fills the share of its network in the queue',
    file: queue,
    from: ' || jobs.length >= maxWaitingOfAccount',
    to: '',
    test: hashes,
    title:
      'the hash queue refuses jobs of a network or account above its limit with 429, and no job of another network',
  },
  {
    attack: 'with a full queue, new requests get 503 regardless of the network',
    file: queue,
    from: 'if (largest === undefined || countJobs(largest[1]) <= countJobs(newcomer) + 1) {',
    to: 'if (largest !== null) {',
    test: hashes,
    title:
      'a full hash queue refuses the newest job of the network with the most jobs; if every network has one job, it refuses the new job with 503',
  },
  {
    attack: 'an unlimited queue',
    file: queue,
    from: '    if (waiting >= maxWaiting) makeRoomFor(accounts)\n',
    to: '',
    test: hashes,
    title:
      'a full hash queue refuses the newest job of the network with the most jobs; if every network has one job, it refuses the new job with 503',
  },
  {
    attack: 'the server gives one network the whole queue',
    file: places,
    from: 'maxWaitingOfNetwork: 128,\n  maxWaitingOfAccount: 64',
    to: 'maxWaitingOfNetwork: 256,\n  maxWaitingOfAccount: 256',
    test: waiting,
    title: 'cause no 503',
  },
  {
    attack: 'all networks wait in one line at sign-in',
    file: `${auth}/sign-in.ts`,
    from: 'hashQueue.run({ account: email, network: networkOf(request.ip) }',
    to: "hashQueue.run({ account: email, network: '' }",
    test: waiting,
    title:
      'hundreds of sign-ins from one network move another network back by a few positions in the queue at most, and cause no 503',
  },
]
