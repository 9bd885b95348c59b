/** What one caller may ask of the live connection. docs/security.md lists the same figures; a refusal names its own. */
export const limits = {
  socketsInAll: 10_000,
  /** Of one IPv4 address, or one /64 of IPv6: an office behind one address. */
  socketsOfNetwork: 500,
  /** Of these, sockets of nobody who is signed in: those that have not joined yet included. */
  anonymousOfNetwork: 20,
  socketsOfUser: 50,
  /** An anonymous socket without a channel is closed after so long. Milliseconds. */
  anonymousIdleMs: 30_000,

  channelsOfSocket: 100,
  channelsOfAnonymous: 10,
  channelsOfUser: 500,
  bindingsOfChannel: 100,
  bindingsOfSocket: 100,
  bindingsOfUser: 500,
  /** Characters: room for a list of 100 ids. */
  filterLength: 5_000,

  /** Bytes that wait for one socket to read them; a slower one is cut off, and catches up by itself. */
  unreadOfSocket: 1024 * 1024,
  /** Of all sockets together; beyond it those are cut off that have more than the spared part waiting. */
  unreadInAll: 64 * 1024 * 1024,
  unreadSpared: 64 * 1024,

  /** Each is so many a second, over a burst of so many. */
  messages: { rate: 100, burst: 100 },
  bytes: { rate: 256 * 1024, burst: 1024 * 1024 },
  joins: { rate: 10, burst: 100 },
  anonymousJoins: { rate: 1, burst: 10 },
  /** Tokens that are checked; the same one again is not. */
  tokens: { rate: 2, burst: 20 },
  userJoins: { rate: 50, burst: 500 },

  /** Bytes of what is said at once, as JSON. */
  broadcastBytes: 64 * 1024,
  broadcasts: { rate: 20, burst: 60 },
  presenceBytes: 4 * 1024,
  presences: { rate: 10, burst: 50 },
  /** Bytes that wait in the log, which keeps two minutes. */
  storedOfUser: { rate: (2 * 1024 * 1024) / 120, burst: 2 * 1024 * 1024 },
  storedOfTopic: { rate: (8 * 1024 * 1024) / 120, burst: 8 * 1024 * 1024 },
} as const
