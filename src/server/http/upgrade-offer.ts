import { IncomingMessage } from 'node:http'

/**
 * A request whose offer of another protocol is ignored, except websocket (RFC 9110, section 7.8). Java's HttpClient and `curl --http2`
 * offer h2c with each request. Node reads `upgrade` after the headers: if it is true, Node emits 'upgrade' and not 'request'.
 */
export class RequestMessage extends IncomingMessage {
  // Node's constructor calls the setter, so this is not a private field (#), which does not exist yet at that time.
  declare private mayUpgrade: boolean | null

  get upgrade(): boolean {
    return (
      this.mayUpgrade === true && (this.method === 'CONNECT' || this.headers.upgrade?.toLowerCase() === 'websocket')
    )
  }

  /** Node sets this to null in the constructor, and to the parser's result after the headers. */
  set upgrade(mayUpgrade: boolean | null) {
    this.mayUpgrade = mayUpgrade
  }
}
