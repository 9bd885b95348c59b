import { limits } from './limits.ts'
import type { Socket } from './socket.ts'

interface Entry {
  network: string
  /** Null: anonymous. */
  user: string | null
  /** Since when it has no channel (`performance.now()` ms); null while it has one. */
  emptySince: number | null
}

interface Network {
  sockets: number
  anonymous: number
}

/** All open sockets, with their network and user. */
export class SocketRegister {
  readonly #entries = new Map<Socket, Entry>()
  readonly #networks = new Map<string, Network>()
  readonly #users = new Map<string, Set<Socket>>()

  /** The reason why a socket from this network is refused now; null if it is accepted. */
  refusal(network: string, isService: boolean): string | null {
    if (this.#entries.size >= limits.socketsInAll) return 'This server has as many live connections as it can hold'
    const counters = this.#networks.get(network)
    if (isService || !counters) return null
    if (counters.sockets >= limits.socketsOfNetwork)
      return `Too many live connections from your network: at most ${limits.socketsOfNetwork}. Close some of them`
    if (counters.anonymous >= limits.anonymousOfNetwork)
      return `Too many live connections from your network that are not signed in: at most ${limits.anonymousOfNetwork}. Sign in and join, or close some of them`
    return null
  }

  enter(socket: Socket, network: string, isService: boolean): void {
    this.#entries.set(socket, { network, user: isService ? '' : null, emptySince: performance.now() })
    const counters = this.#networks.get(network) ?? { sockets: 0, anonymous: 0 }
    this.#networks.set(network, counters)
    counters.sockets++
    if (!isService) counters.anonymous++
  }

  /** Assigns the socket to this user, or returns the reason for a refusal. */
  identify(socket: Socket, user: string): string | null {
    const entry = this.#entries.get(socket)
    if (!entry || entry.user === user || entry.user === '') return null
    const own = this.#users.get(user) ?? new Set()
    if (own.size >= limits.socketsOfUser)
      return `Too many live connections of this account: at most ${limits.socketsOfUser}. Close some of them`
    this.#disown(socket, entry)
    own.add(socket)
    this.#users.set(user, own)
    const counters = this.#networks.get(entry.network)
    if (entry.user === null && counters) counters.anonymous--
    entry.user = user
    return null
  }

  /** The number of sockets of signed-in users (or of the secret key), and of others. */
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

  leave(socket: Socket): void {
    const entry = this.#entries.get(socket)
    if (!entry) return
    this.#entries.delete(socket)
    this.#disown(socket, entry)
    const counters = this.#networks.get(entry.network)
    if (!counters) return
    counters.sockets--
    if (entry.user === null) counters.anonymous--
    if (counters.sockets === 0) this.#networks.delete(entry.network)
  }

  /** Anonymous sockets that have had no channel for too long at `now`. */
  *idle(hasChannels: (socket: Socket) => boolean, now = performance.now()): Iterable<Socket> {
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

  #disown(socket: Socket, { user }: Entry): void {
    if (user === null) return
    const own = this.#users.get(user)
    own?.delete(socket)
    if (own?.size === 0) this.#users.delete(user)
  }
}
