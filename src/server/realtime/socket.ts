import type { RawData, WebSocket } from 'ws'
import { type Frame, parseBinaryFrame, parseFrame, type Version, writeFrame } from './frames.ts'
import type { Listener } from './listener-token.ts'

export interface SocketHandler {
  onFrame(socket: Socket, frame: Frame): Promise<void>
  onClose(socket: Socket): void
  onError(error: unknown): void
}

/** A client that reads slower than this is cut off, and catches up by itself. Bytes. */
const MOST_UNREAD = 1024 * 1024
/** Clients send a heartbeat each 25 s. Milliseconds. */
const SILENCE = 75_000
/** Frames a second, over a burst of as many; nobody types so fast. */
const RATE = 100

/** One connection. Its frames are handled one after the other, so that answers come in order. */
export class Socket {
  #last: Promise<void> = Promise.resolve()
  #waiting = 0
  #allowance = RATE
  #refilledAt = performance.now()
  #silence: NodeJS.Timeout

  constructor(
    readonly id: string,
    readonly keyListener: Listener,
    readonly version: Version,
    private readonly ws: WebSocket,
    private readonly handler: SocketHandler,
  ) {
    this.#silence = setTimeout(() => ws.terminate(), SILENCE)
    ws.on('message', (data, isBinary) => this.#receive(data, isBinary))
    ws.on('close', () => {
      clearTimeout(this.#silence)
      handler.onClose(this)
    })
    // 'close' follows; a client that breaks the protocol is nothing to log.
    ws.on('error', () => ws.terminate())
  }

  /** Sends a frame; cuts the connection where the client does not read. */
  send(frame: Omit<Frame, 'payload'>, payload: unknown): void {
    this.sendText(writeFrame(frame, JSON.stringify(payload), this.version))
  }

  sendText(text: string): void {
    if (this.ws.readyState !== this.ws.OPEN) return
    if (this.ws.bufferedAmount > MOST_UNREAD) this.ws.terminate()
    else this.ws.send(text)
  }

  reply(to: Frame, status: 'ok' | 'error', response: unknown): void {
    this.send({ joinRef: to.joinRef, ref: to.ref, topic: to.topic, event: 'phx_reply' }, { status, response })
  }

  /** Ends the connection with a code of RFC 6455; `terminate` after a second for who does not answer. */
  close(code: number, reason: string): void {
    this.ws.close(code, reason)
    setTimeout(() => this.ws.terminate(), 1000).unref()
  }

  #receive(data: RawData, isBinary: boolean): void {
    this.#silence.refresh()
    if (!this.#mayGoOn()) return this.close(1008, 'Too many messages')
    const bytes = Buffer.isBuffer(data) ? data : Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data)
    const frame = isBinary ? parseBinaryFrame(bytes) : parseFrame(bytes.toString('utf8'), this.version)
    // What is no frame is passed over, as Phoenix does for an unknown event: a newer client may say more than we know.
    if (frame === null) return
    this.#waiting++
    this.#last = this.#last
      .then(() => this.handler.onFrame(this, frame))
      .catch((error: unknown) => this.handler.onError(error))
      .finally(() => this.#waiting--)
  }

  #mayGoOn(): boolean {
    const now = performance.now()
    this.#allowance = Math.min(RATE, this.#allowance + ((now - this.#refilledAt) / 1000) * RATE)
    this.#refilledAt = now
    this.#allowance -= 1
    return this.#allowance >= 0 && this.#waiting < RATE
  }
}
