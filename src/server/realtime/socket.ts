import type { RawData, WebSocket } from 'ws'
import { Budget } from './budget.ts'
import { type Frame, parseBinaryFrame, parseFrame, type Version, writeFrame } from './frames.ts'
import { limits } from './limits.ts'
import type { Listener } from './listener-token.ts'
import type { Unread } from './unread.ts'

export interface SocketHandler {
  onFrame(socket: Socket, frame: Frame): Promise<void>
  onClose(socket: Socket): void
  onError(error: unknown): void
}

/** Clients send a heartbeat every 25 s. */
const silenceTimeoutMs = 75_000

/** One connection. Its frames are handled one after another, so that answers are in order. */
export class Socket {
  #last: Promise<void> = Promise.resolve()
  #waiting = 0
  readonly #messages = new Budget(limits.messages)
  readonly #bytes = new Budget(limits.bytes)
  readonly joins = new Budget(limits.joins)
  readonly anonymousJoins = new Budget(limits.anonymousJoins)
  readonly tokens = new Budget(limits.tokens)
  #silence: NodeJS.Timeout

  constructor(
    readonly id: string,
    readonly keyListener: Listener,
    readonly version: Version,
    private readonly ws: WebSocket,
    private readonly handler: SocketHandler,
    private readonly unread: Unread,
  ) {
    this.#silence = setTimeout(() => ws.terminate(), silenceTimeoutMs)
    ws.on('message', (data, isBinary) => this.#receive(data, isBinary))
    ws.on('ping', () => this.#count())
    ws.on('pong', () => this.#count())
    ws.on('close', () => {
      clearTimeout(this.#silence)
      handler.onClose(this)
    })
    // 'close' follows. A client that breaks the protocol is not logged.
    ws.on('error', () => ws.terminate())
  }

  get isOpen(): boolean {
    return this.ws.readyState === this.ws.OPEN
  }

  /** Sends a frame; closes the connection if the client does not read. */
  send(frame: Omit<Frame, 'payload'>, payload: unknown): void {
    this.sendText(writeFrame(frame, JSON.stringify(payload), this.version))
  }

  sendText(text: string): void {
    if (!this.isOpen) return
    const bytes = Buffer.byteLength(text)
    if (this.unread.exceedsLimit(this.ws.bufferedAmount, bytes)) this.ws.terminate()
    // Called when the system has the data, or the connection is closed.
    else this.ws.send(text, this.unread.hold(bytes))
  }

  reply(to: Frame, status: 'ok' | 'error', response: unknown): void {
    this.send({ joinRef: to.joinRef, ref: to.ref, topic: to.topic, event: 'phx_reply' }, { status, response })
  }

  /** Closes the connection with a code of RFC 6455; terminates it after a second without an answer. */
  close(code: number, reason: string): void {
    this.ws.close(code, reason)
    setTimeout(() => this.ws.terminate(), 1000).unref()
  }

  /** Counts a message; closes the connection and returns false above the limit. */
  #count(): boolean {
    if (this.#waiting < limits.messages.burst && this.#messages.take()) return true
    if (this.isOpen) this.close(1008, `Too many messages: at most ${limits.messages.rate} a second`)
    return false
  }

  #receive(data: RawData, isBinary: boolean): void {
    this.#silence.refresh()
    if (!this.isOpen) return
    const bytes = Buffer.isBuffer(data) ? data : Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data)
    if (!this.#count()) return
    if (!this.#bytes.take(bytes.length))
      return this.close(1008, `Too much at once: at most ${limits.bytes.rate / 1024} KiB a second`)
    const frame = isBinary ? parseBinaryFrame(bytes) : parseFrame(bytes.toString('utf8'), this.version)
    // Anything but a frame is ignored, as Phoenix ignores an unknown event: newer clients may send more.
    if (frame === null) return
    this.#waiting++
    this.#last = this.#last
      .then(() => this.handler.onFrame(this, frame))
      .catch((error: unknown) => this.handler.onError(error))
      .finally(() => this.#waiting--)
  }
}
