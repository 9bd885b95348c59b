import type { RawData, WebSocket } from 'ws'
import { TokenBucket } from './token-bucket.ts'
import { type Frame, parseBinaryFrame, parseFrame, type ProtocolVersion, writeFrame } from './frames.ts'
import { limits } from './limits.ts'
import type { SocketCaller } from './caller-token.ts'
import type { UnreadBytes } from './unread-bytes.ts'

export interface SocketHandler {
  onFrame(socket: Socket, frame: Frame): Promise<void>
  onClose(socket: Socket): void
  onError(error: unknown): void
}

/** Time after which a connection is closed if its client sends no message. Clients send a heartbeat every 25 s. */
const silenceTimeoutMs = 75_000

/** The live connection of a client. Its frames are handled one after another, so that the replies are in order. */
export class Socket {
  /** Resolves when the last received frame has been handled. */
  #lastHandled: Promise<void> = Promise.resolve()
  #waitingFrames = 0
  readonly #messages = new TokenBucket(limits.messages)
  readonly #bytes = new TokenBucket(limits.bytes)
  readonly joins = new TokenBucket(limits.joins)
  readonly anonymousJoins = new TokenBucket(limits.anonymousJoins)
  readonly tokens = new TokenBucket(limits.tokens)
  #silenceTimer: NodeJS.Timeout

  constructor(
    readonly id: string,
    readonly keyCaller: SocketCaller,
    readonly version: ProtocolVersion,
    private readonly ws: WebSocket,
    private readonly handler: SocketHandler,
    private readonly unread: UnreadBytes,
  ) {
    this.#silenceTimer = setTimeout(() => ws.terminate(), silenceTimeoutMs)
    ws.on('message', (data, isBinary) => this.#receive(data, isBinary))
    ws.on('ping', () => this.#countMessage())
    ws.on('pong', () => this.#countMessage())
    ws.on('close', () => {
      clearTimeout(this.#silenceTimer)
      handler.onClose(this)
    })
    // The event 'close' follows. The error is not logged, because the client caused it.
    ws.on('error', () => ws.terminate())
  }

  get isOpen(): boolean {
    return this.ws.readyState === this.ws.OPEN
  }

  /** Sends a frame. Closes the connection if the client reads too slowly. */
  send(frame: Omit<Frame, 'payload'>, payload: unknown): void {
    this.sendText(writeFrame(frame, JSON.stringify(payload), this.version))
  }

  sendText(text: string): void {
    if (!this.isOpen) return
    const bytes = Buffer.byteLength(text)
    if (this.unread.exceedsLimit(this.ws.bufferedAmount, bytes)) this.ws.terminate()
    // `send` calls the function from `hold` when the data is written to the operating system's socket, or the connection
    // is closed.
    else this.ws.send(text, this.unread.hold(bytes))
  }

  reply(to: Frame, status: 'ok' | 'error', response: unknown): void {
    this.send({ joinRef: to.joinRef, ref: to.ref, topic: to.topic, event: 'phx_reply' }, { status, response })
  }

  /** Closes the connection with a status code of RFC 6455. Terminates it if the client does not close it within a second. */
  close(code: number, reason: string): void {
    this.ws.close(code, reason)
    setTimeout(() => this.ws.terminate(), 1000).unref()
  }

  /** Counts a message of the client. If it is above the limit, closes the connection and returns false. */
  #countMessage(): boolean {
    if (this.#waitingFrames < limits.messages.burst && this.#messages.take()) return true
    if (this.isOpen) this.close(1008, `Too many messages: at most ${limits.messages.rate} a second`)
    return false
  }

  #receive(data: RawData, isBinary: boolean): void {
    this.#silenceTimer.refresh()
    if (!this.isOpen) return
    const bytes = Buffer.isBuffer(data) ? data : Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data)
    if (!this.#countMessage()) return
    if (!this.#bytes.take(bytes.length))
      return this.close(1008, `Too many bytes: at most ${limits.bytes.rate / 1024} KiB a second`)
    const frame = isBinary ? parseBinaryFrame(bytes) : parseFrame(bytes.toString('utf8'), this.version)
    // A message that is no valid frame is ignored, as Phoenix ignores unknown events: newer clients may send other kinds
    // of messages.
    if (frame === null) return
    this.#waitingFrames++
    this.#lastHandled = this.#lastHandled
      .then(() => this.handler.onFrame(this, frame))
      .catch((error: unknown) => this.handler.onError(error))
      .finally(() => this.#waitingFrames--)
  }
}
