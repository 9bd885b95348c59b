import { limits } from './limits.ts'
import { isExpired, isKeyWithdrawn, type SocketCaller, type CallerKeys, readSocketCaller } from './caller-token.ts'
import type { Socket } from './socket.ts'
import { roleOfKey } from './socket-key.ts'

/** Time after which a refused token is verified again, because its key may be known by then. */
const refusalLifeMs = 5_000

/**
 * Reads the tokens that sockets send. A token that equals the socket's last token is not verified again while the result is valid.
 * New tokens are limited per socket.
 */
export class SocketTokens {
  readonly #lastTokens = new WeakMap<Socket, { token: unknown; result: SocketCaller | string; at: number }>()

  constructor(private readonly keys: CallerKeys) {}

  /**
   * Verifies a token. Returns the role and claims of the token or, if there is no token, of the socket's API key. If the token is
   * refused, returns the reason as text. Closes a socket that sends too many tokens.
   */
  async read(socket: Socket, token: unknown): Promise<SocketCaller | string> {
    const last = this.#lastTokens.get(socket)
    if (last && last.token === token) {
      if (typeof last.result === 'string') {
        if (performance.now() - last.at < refusalLifeMs) return last.result
      } else if (!isExpired(last.result) && !isKeyWithdrawn(last.result, this.keys)) return last.result
    }
    if (!this.#isKeyOrMissing(token) && !socket.tokens.take()) {
      const reason = `Too many tokens: at most ${limits.tokens.rate} new ones a second`
      socket.close(1008, reason)
      return reason
    }
    const result = await readSocketCaller(token, this.keys, socket.keyCaller)
    if (typeof token === 'string') this.#lastTokens.set(socket, { token, result, at: performance.now() })
    return result
  }

  /** Whether nothing needs to be verified, because there is no token or it is an API key. */
  #isKeyOrMissing(token: unknown): boolean {
    return typeof token !== 'string' || token === '' || roleOfKey(token, this.keys) !== null
  }
}
