/**
 * Limits of live connections. docs/security.md lists the same figures. The message of each refusal contains the limit, except
 * the message for `socketsInTotal`.
 */
export const limits = {
  socketsInTotal: 10_000,
  /** Maximum number of sockets per IPv4 address or IPv6 /64. It is high, because a whole office may share one address. */
  socketsOfNetwork: 500,
  /**
   * Maximum number of a network's sockets on which no user is signed in, including those that have not joined a channel
   * yet.
   */
  anonymousSocketsOfNetwork: 20,
  socketsOfUser: 50,
  /** Time after which an anonymous socket without a channel is closed. */
  anonymousIdleMs: 30_000,

  /** Maximum number of characters of a channel's topic, with `realtime:`. */
  topicLength: 255,
  channelsOfSocket: 100,
  channelsOfAnonymous: 10,
  channelsOfUser: 500,
  bindingsOfChannel: 100,
  bindingsOfSocket: 100,
  bindingsOfUser: 500,
  /** Maximum number of characters of a binding's filter. A list of 100 ids has fewer. */
  filterLength: 5_000,

  /**
   * Maximum number of bytes that one client has not read yet. A slower socket is closed; its client connects again and
   * fetches what it missed.
   */
  unreadBytesOfSocket: 1024 * 1024,
  /**
   * Maximum number of unread bytes of all sockets together. Above it, sockets with more than `unreadBytesAlwaysAllowed` are
   * closed.
   */
  unreadBytesInTotal: 64 * 1024 * 1024,
  unreadBytesAlwaysAllowed: 64 * 1024,

  /**
   * Rates per second, and the bursts that are allowed at once (`TokenBucket`). Messages, bytes, tokens and joins (except
   * `userJoins`) are counted per socket; `userJoins`, `broadcasts` and `presences` per user.
   */
  messages: { rate: 100, burst: 100 },
  bytes: { rate: 256 * 1024, burst: 1024 * 1024 },
  joins: { rate: 10, burst: 100 },
  anonymousJoins: { rate: 1, burst: 10 },
  /** Limit on new access tokens per socket. Each must be verified; a repeated token is not counted. */
  tokens: { rate: 2, burst: 20 },
  userJoins: { rate: 50, burst: 500 },

  /** Maximum size of a broadcast (bytes of JSON). */
  broadcastBytes: 64 * 1024,
  broadcasts: { rate: 20, burst: 60 },
  presenceBytes: 4 * 1024,
  presences: { rate: 10, burst: 50 },
  /** Limit on the bytes of messages in the change log per user. The log keeps its entries for two minutes. */
  storedBytesOfUser: { rate: (2 * 1024 * 1024) / 120, burst: 2 * 1024 * 1024 },
  storedBytesOfTopic: { rate: (8 * 1024 * 1024) / 120, burst: 8 * 1024 * 1024 },
} as const
