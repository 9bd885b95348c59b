import { limits } from './limits.ts'
import { isExpired, isKeyWithdrawn, type Listener, type ListenerKeys, readListener } from './listener-token.ts'
import type { Socket } from './socket.ts'

/** After this time a refused token is verified again: its key may be known then. */
const refusalLifeMs = 5_000

/**
 * Reads the tokens of sockets. A repeated token is not verified again, and the verifications per socket are limited.
 */
export class SocketTokens {
  readonly #last = new WeakMap<Socket, { token: unknown; found: Listener | string; at: number }>()

  constructor(private readonly keys: ListenerKeys) {}

  /** The token's listener; a string is the reason for a refusal. Closes a socket that sends too many tokens. */
  async read(socket: Socket, token: unknown): Promise<Listener | string> {
    const last = this.#last.get(socket)
    if (last && last.token === token) {
      if (typeof last.found === 'string') {
        if (performance.now() - last.at < refusalLifeMs) return last.found
      } else if (!isExpired(last.found) && !isKeyWithdrawn(last.found, this.keys)) return last.found
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

  /** No token, or a key: nothing to verify. */
  #isKey(token: unknown): boolean {
    return typeof token !== 'string' || ['', this.keys.publishableKey, this.keys.secretKey].includes(token)
  }
}
