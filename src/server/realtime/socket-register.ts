import { limits } from './limits.ts'
import type { Socket } from './socket.ts'

interface SocketEntry {
  network: string
  /** The id of the user to whom the socket belongs. '' for the secret key, null for an anonymous socket. */
  user: string | null
  /**
   * For an anonymous socket: since when it has had no channel (`performance.now()` ms). Null while it has a channel. `findIdle`
   * updates this value.
   */
  emptySince: number | null
}

interface NetworkCounters {
  sockets: number
  anonymous: number
}

/** Stores all open sockets with their networks and users, and limits their numbers. */
export class SocketRegister {
  readonly #entries = new Map<Socket, SocketEntry>()
  readonly #networks = new Map<string, NetworkCounters>()
  readonly #users = new Map<string, Set<Socket>>()

  /** Returns the reason why a further socket of this network would be refused now. Returns null if it would be accepted. */
  refusalReason(network: string, isService: boolean): string | null {
    if (this.#entries.size >= limits.socketsInTotal) return 'This server has as many live connections as it can hold'
    const counters = this.#networks.get(network)
    if (isService || !counters) return null
    if (counters.sockets >= limits.socketsOfNetwork)
      return `Too many live connections from your network: at most ${limits.socketsOfNetwork}. Close some of them`
    if (counters.anonymous >= limits.anonymousSocketsOfNetwork)
      return `Too many live connections from your network that are not signed in: at most ${limits.anonymousSocketsOfNetwork}. Sign in and join, or close some of them`
    return null
  }

  add(socket: Socket, network: string, isService: boolean): void {
    this.#entries.set(socket, { network, user: isService ? '' : null, emptySince: performance.now() })
    const counters = this.#networks.get(network) ?? { sockets: 0, anonymous: 0 }
    this.#networks.set(network, counters)
    counters.sockets++
    if (!isService) counters.anonymous++
  }

  /**
   * Assigns the socket to this user. If the user has too many sockets, assigns nothing and returns the reason. Returns null
   * otherwise. A socket of the secret key is never assigned to a user.
   */
  assignUser(socket: Socket, user: string): string | null {
    const entry = this.#entries.get(socket)
    if (!entry || entry.user === user || entry.user === '') return null
    const userSockets = this.#users.get(user) ?? new Set()
    if (userSockets.size >= limits.socketsOfUser)
      return `Too many live connections of this account: at most ${limits.socketsOfUser}. Close some of them`
    this.#removeFromUser(socket, entry)
    userSockets.add(socket)
    this.#users.set(user, userSockets)
    const counters = this.#networks.get(entry.network)
    if (entry.user === null && counters) counters.anonymous--
    entry.user = user
    return null
  }

  /**
   * Returns the number of sockets that are signed in (`yes`: with a user's token or the secret key), and of the others
   * (`no`).
   */
  counts(): { yes: number; no: number } {
    let anonymous = 0
    for (const network of this.#networks.values()) anonymous += network.anonymous
    return { yes: this.#entries.size - anonymous, no: anonymous }
  }

  isAnonymous(socket: Socket): boolean {
    return this.#entries.get(socket)?.user === null
  }

  networkOf(socket: Socket): string {
    return this.#entries.get(socket)?.network ?? ''
  }

  remove(socket: Socket): void {
    const entry = this.#entries.get(socket)
    if (!entry) return
    this.#entries.delete(socket)
    this.#removeFromUser(socket, entry)
    const counters = this.#networks.get(entry.network)
    if (!counters) return
    counters.sockets--
    if (entry.user === null) counters.anonymous--
    if (counters.sockets === 0) this.#networks.delete(entry.network)
  }

  /** Yields the anonymous sockets that, at the time `now`, have had no channel for too long. */
  *findIdle(hasChannels: (socket: Socket) => boolean, now = performance.now()): Iterable<Socket> {
    for (const [socket, entry] of this.#entries) {
      if (entry.user !== null) continue
      if (hasChannels(socket)) entry.emptySince = null
      else {
        entry.emptySince ??= now
        if (now - entry.emptySince > limits.anonymousIdleMs) yield socket
      }
    }
  }

  sockets(): Iterable<Socket> {
    return this.#entries.keys()
  }

  #removeFromUser(socket: Socket, { user }: SocketEntry): void {
    if (user === null) return
    const userSockets = this.#users.get(user)
    userSockets?.delete(socket)
    if (userSockets?.size === 0) this.#users.delete(user)
  }
}
