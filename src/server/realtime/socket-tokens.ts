import { limits } from './limits.ts'
import { isExpired, isWithdrawn, type Listener, type ListenerKeys, readListener } from './listener-token.ts'
import type { Socket } from './socket.ts'

/** A refused token is looked at anew after this time: its key may be known then. Milliseconds. */
const refusalLifeMs = 5_000

/** Reads the tokens of sockets. The same one again is not checked again, and a socket has only so many checked. */
export class SocketTokens {
  readonly #last = new WeakMap<Socket, { token: unknown; found: Listener | string; at: number }>()

  constructor(private readonly keys: ListenerKeys) {}

  /** Who the token says; a text where it is refused. Closes the socket that sends too many. */
  async read(socket: Socket, token: unknown): Promise<Listener | string> {
    const last = this.#last.get(socket)
    if (last && last.token === token) {
      if (typeof last.found === 'string') {
        if (performance.now() - last.at < refusalLifeMs) return last.found
      } else if (!isExpired(last.found) && !isWithdrawn(last.found, this.keys)) return last.found
    }
    if (!this.#isKey(token) && !socket.tokens.take()) {
      const reason = `Too many tokens: at most ${limits.tokens.rate} new ones a second`
      socket.close(1008, reason)
      return reason
    }
    const found = await readListener(token, this.keys, socket.keyListener)
    if (typeof token === 'string') this.#last.set(socket, { token, found, at: performance.now() })
    return found
  }

  /** None, or a key: there is nothing to check. */
  #isKey(token: unknown): boolean {
    return typeof token !== 'string' || ['', this.keys.publishableKey, this.keys.secretKey].includes(token)
  }
}
