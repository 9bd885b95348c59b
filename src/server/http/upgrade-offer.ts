import { IncomingMessage } from 'node:http'

/**
 * A request. If its header `Upgrade` offers another protocol than websocket, the offer is ignored, as RFC 9110 (section 7.8)
 * allows, and the request is handled as usual: Java's HttpClient and `curl --http2` offer h2c with each request. Node reads
 * the property `upgrade` after the headers: if it is true, Node emits 'upgrade' and not 'request'.
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
