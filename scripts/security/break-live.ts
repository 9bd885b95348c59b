import type { SecurityBreak } from './break.ts'

const realtimeFolder = 'src/server/realtime'
const limitsFile = `${realtimeFolder}/limits.ts`
const registerFile = `${realtimeFolder}/socket-register.ts`
const channelRequestsFile = `${realtimeFolder}/channel-requests.ts`
const messageLimitsFile = `${realtimeFolder}/message-limits.ts`
const socketFile = `${realtimeFolder}/socket.ts`
const liveTest = 'tests/api/realtime-limits.test.ts'
const registerTest = `${realtimeFolder}/socket-register.test.ts`
const messageLimitsTest = `${realtimeFolder}/message-limits.test.ts`

/** Breaks of the defences of the live connection. */
export const breaksOfLive: readonly SecurityBreak[] = [
  {
    attack: 'an unlimited number of sockets in total',
    file: registerFile,
    from: "    if (this.#entries.size >= limits.socketsInTotal) return 'This server has as many live connections as it can hold'\n",
    to: '',
    test: registerTest,
    title: 'a server accepts at most 10,000 sockets in total; beyond that, a socket of the secret key is refused too',
  },
  {
    attack: 'an unlimited number of sockets of one network',
    file: registerFile,
    from: 'if (counters.sockets >= limits.socketsOfNetwork)',
    to: 'if (counters.sockets < 0)',
    test: registerTest,
    title:
      'a network may have 500 sockets of all its users together; beyond that, a socket of the secret key is still accepted',
  },
  limitBreak(
    '300 sockets of one address',
    'anonymousSocketsOfNetwork: 20',
    'sockets without a sign-in are limited to 20 per network, by the trusted address and the /64',
  ),
  {
    attack: 'a new address of the same /64 for each socket',
    file: `${realtimeFolder}/realtime.ts`,
    from: 'const network = networkOf(clientIpOf(message))',
    to: 'const network = clientIpOf(message)',
    test: liveTest,
    title: 'sockets without a sign-in are limited to 20 per network, by the trusted address and the /64',
  },
  {
    attack: 'a closed socket counts against the limit on anonymous sockets for ever',
    file: registerFile,
    from: '    if (entry.user === null) counters.anonymous--\n    if (counters.sockets === 0)',
    to: '    if (counters.sockets === 0)',
    test: liveTest,
    title: 'sockets no longer count as anonymous once they close or sign in',
    failureText: 'Too many live connections',
  },
  {
    attack: 'anonymous sockets that do nothing stay open',
    file: registerFile,
    from: 'if (now - entry.emptySince > limits.anonymousIdleMs) yield socket',
    to: 'if (now < 0) yield socket',
    test: registerTest,
    title: 'is idle after 30 s',
  },
  {
    attack: 'the server does not close idle anonymous sockets',
    file: `${realtimeFolder}/realtime.ts`,
    from: '      socket.close(1008, `Join a channel within',
    to: '      void (`Join a channel within',
    test: liveTest,
    title: 'a socket without a sign-in and without a channel is closed',
  },
  {
    attack: 'an unlimited number of sockets of one user, each from a new network',
    file: registerFile,
    from: 'if (userSockets.size >= limits.socketsOfUser)',
    to: 'if (userSockets.size < 0)',
    test: liveTest,
    title: 'sockets are limited to 50 per user, from anywhere',
  },
  {
    attack: 'an unlimited number of sockets of one user, by signing in later',
    file: channelRequestsFile,
    from: '(this.register.assignUser(channel.socket, sub) ??\n          this.#userChannels.refusalReason(sub, channel.bindings.length))',
    to: 'null',
    test: liveTest,
    title: 'a socket that signs in later counts for its user from then on',
  },
  limitBreak(
    'an unlimited number of channels of a connection',
    'channelsOfSocket: 100',
    'a socket is limited to 10 channels without a sign-in, and 100 with one',
  ),
  limitBreak(
    'an unlimited number of channels of a stranger',
    'channelsOfAnonymous: 10',
    'a socket is limited to 10 channels without a sign-in, and 100 with one',
  ),
  limitBreak(
    'an unlimited number of channels of one user',
    'channelsOfUser: 500',
    'channels are limited to 500 per user',
  ),
  limitBreak(
    '100 × 100 bindings',
    'bindingsOfChannel: 100',
    'bindings are limited to 100 per channel, 100 per socket and 500 per user',
  ),
  limitBreak(
    'an unlimited number of bindings of a connection',
    'bindingsOfSocket: 100',
    'bindings are limited to 100 per channel, 100 per socket and 500 per user',
  ),
  limitBreak(
    'an unlimited number of bindings of one user',
    'bindingsOfUser: 500',
    'bindings are limited to 100 per channel, 100 per socket and 500 per user',
  ),
  limitBreak(
    'a filter that is expensive to evaluate',
    'filterLength: 5_000',
    'the filters of bindings are limited to 5,000 characters',
  ),
  limitBreak(
    'channels with topics of any length',
    'topicLength: 255',
    'the topics of channels are limited to 255 characters: the official client gets the reason at once',
  ),
  {
    attack: 'bindings without a member’s token receive changes',
    file: channelRequestsFile,
    from: "    if (channel.caller.role === 'anon') return signInMessage\n",
    to: '',
    test: liveTest,
    title: 'an anonymous socket can send heartbeats and join channels, but receives no changes',
  },
  {
    attack: 'each write evaluates the bindings of strangers',
    file: `${realtimeFolder}/subscription-index.ts`,
    from: 'for (const user of users) {',
    to: 'for (const user of new Set([...users, ...(scoped?.keys() ?? []), ...(unscoped?.keys() ?? [])])) {',
    test: `${realtimeFolder}/subscription-index.test.ts`,
    title: 'the subscription index returns only subscriptions of the given users',
  },
  {
    attack: 'everybody counts as a member',
    file: 'supabase/migrations/20261215000000_notifications.sql',
    from: ' where m.brand_id = any (p_scopes)',
    to: '',
    test: 'supabase/tests/live-members.test.ts',
    title: 'the delivery of live changes reads the members of the changed brands only',
  },
  {
    attack: 'a join whose socket has closed leaves its channel behind',
    file: channelRequestsFile,
    from: '    if (!socket.isOpen) return this.hub.stopFeedIfUnused()\n',
    to: '',
    test: liveTest,
    title: 'a join whose socket has closed leaves no binding or channel behind',
  },
  {
    attack: 'a join whose channel was closed leaves its bindings behind',
    file: `${realtimeFolder}/hub.ts`,
    from: '    if (!channel.isOpen) return\n    this.index.add',
    to: '    this.index.add',
    test: `${realtimeFolder}/hub.test.ts`,
    title: 'a channel that is closed before the tables of its bindings are read leaves no subscription behind',
  },
  limitBreak(
    'an unlimited number of joins of a member',
    'joins: { rate: 10, burst: 100 }',
    'the joins of a member are limited to 100 at once and 10 a second for one socket',
    '{ rate: Infinity, burst: Infinity }',
  ),
  limitBreak(
    'an unlimited number of joins of a stranger',
    'anonymousJoins: { rate: 1, burst: 10 }',
    'joins of channels are limited to 10 at once, and one a second, without a sign-in',
    '{ rate: 100, burst: 100 }',
  ),
  limitBreak(
    'an unlimited number of joins of one user over many sockets',
    'userJoins: { rate: 50, burst: 500 }',
    'the joins of a member are limited to 500 at once and 50 a second over all sockets',
    '{ rate: 9_000, burst: 9_000 }',
  ),
  limitBreak(
    'an unlimited number of messages',
    'messages: { rate: 100, burst: 100 }',
    'are limited to 100 messages and 256 KiB a second',
    '{ rate: 9_000, burst: 9_000 }',
  ),
  limitBreak(
    'an unlimited number of bytes',
    'bytes: { rate: 256 * 1024, burst: 1024 * 1024 }',
    'are limited to 100 messages and 256 KiB a second',
    '{ rate: 1e9, burst: 1e9 }',
  ),
  limitBreak(
    'an unlimited number of tokens that must be checked',
    'tokens: { rate: 2, burst: 20 }',
    'may contain two new tokens a second, because each token must be verified',
    '{ rate: 100, burst: 100 }',
  ),
  {
    attack: 'an unlimited number of messages that wait',
    file: socketFile,
    from: 'this.#waitingFrames < limits.messages.burst && ',
    to: '',
    test: liveTest,
    title: 'incoming messages are limited in number while they wait',
  },
  {
    attack: 'one message that fills the memory',
    file: `${realtimeFolder}/realtime.ts`,
    from: 'maxFrameBytes = 256 * 1024',
    to: 'maxFrameBytes = 100 * 1024 * 1024',
    test: liveTest,
    title: 'incoming messages are limited to 256 KiB each',
  },
  limitBreak('126 broadcasts of 200 kB', 'broadcastBytes: 64 * 1024', 'are limited in size'),
  limitBreak('a presence of any size', 'presenceBytes: 4 * 1024', 'are limited in size'),
  limitBreak(
    'an unlimited number of broadcasts of one user',
    'broadcasts: { rate: 20, burst: 60 }',
    'broadcasts are limited per second and user, over all sockets',
    '{ rate: 9_000, burst: 9_000 }',
  ),
  limitBreak(
    'an unlimited number of presences of one user',
    'presences: { rate: 10, burst: 50 }',
    'presences are limited per second and user, over all sockets',
    '{ rate: 9_000, burst: 9_000 }',
  ),
  {
    attack: 'one user fills the log',
    file: messageLimitsFile,
    from: 'if (!this.#storedBytesOfUser.take(userOf(channel), bytes))',
    to: 'if (!bytes)',
    test: messageLimitsTest,
    title: 'the number of bytes that one account can store in two minutes is limited',
  },
  {
    attack: 'many users fill the log of one topic',
    file: messageLimitsFile,
    from: 'if (!this.#storedBytesOfTopic.take(channel.name, bytes))',
    to: 'if (!bytes)',
    test: messageLimitsTest,
    title: 'the number of bytes that all accounts together can store in one topic is limited',
  },
  {
    attack: 'one user fills the log by presences',
    file: messageLimitsFile,
    from: 'at most ${presences.rate} a second. Try again in a second`\n    return this.#countStored(channel, bytes)',
    to: 'at most ${presences.rate} a second. Try again in a second`\n    return null',
    test: messageLimitsTest,
    title: 'presences count toward the limit of stored bytes too',
  },
]

/** Returns a break that raises a limit of the live connection to `raised`, or removes the limit (the default). */
function limitBreak(attack: string, from: string, title: string, raised = 'Infinity'): SecurityBreak {
  return { attack, file: limitsFile, from, to: `${from.split(':')[0]}: ${raised}`, test: liveTest, title }
}
