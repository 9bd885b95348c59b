/** Limits of the live connection. docs/security.md lists the same figures; each refusal names its limit. */
export const limits = {
  socketsInAll: 10_000,
  /** Per IPv4 address or IPv6 /64: a whole office may share one address. */
  socketsOfNetwork: 500,
  /** Of these, sockets without a signed-in user, including those that have not joined yet. */
  anonymousOfNetwork: 20,
  socketsOfUser: 50,
  /** An anonymous socket without a channel is closed after this time (ms). */
  anonymousIdleMs: 30_000,

  channelsOfSocket: 100,
  channelsOfAnonymous: 10,
  channelsOfUser: 500,
  bindingsOfChannel: 100,
  bindingsOfSocket: 100,
  bindingsOfUser: 500,
  /** Characters; enough for a list of 100 ids. */
  filterLength: 5_000,

  /**
   * Bytes that one socket has not read yet. A slower socket is closed, and its client catches up after reconnecting.
   */
  unreadOfSocket: 1024 * 1024,
  /** The same for all sockets together. Above it, sockets with more than the spared part are closed. */
  unreadInAll: 64 * 1024 * 1024,
  unreadSpared: 64 * 1024,

  /** Each is a rate per second, with a burst. */
  messages: { rate: 100, burst: 100 },
  bytes: { rate: 256 * 1024, burst: 1024 * 1024 },
  joins: { rate: 10, burst: 100 },
  anonymousJoins: { rate: 1, burst: 10 },
  /** Tokens that are verified. A repeated token is not. */
  tokens: { rate: 2, burst: 20 },
  userJoins: { rate: 50, burst: 500 },

  /** Bytes of one broadcast's JSON. */
  broadcastBytes: 64 * 1024,
  broadcasts: { rate: 20, burst: 60 },
  presenceBytes: 4 * 1024,
  presences: { rate: 10, burst: 50 },
  /** Bytes in the log, which keeps two minutes. */
  storedOfUser: { rate: (2 * 1024 * 1024) / 120, burst: 2 * 1024 * 1024 },
  storedOfTopic: { rate: (8 * 1024 * 1024) / 120, burst: 8 * 1024 * 1024 },
} as const
