import { fieldOf, listOf } from '#web/lib/read-unknown.ts'

type Frame = [joinRef: string | null, ref: string | null, topic: string, event: string, payload: unknown]

/** The server's end of the sockets for live changes. It replies to joins, and sends the events of a test. */
export class PreparedRealtime {
  /** The received frames, except heartbeats. */
  readonly frames: { topic: string; event: string; payload: unknown }[] = []
  /** The URLs of the opened sockets. */
  readonly opened: string[] = []
  private readonly sockets = new Set<{ deliver: (frame: Frame) => void }>()
  private readonly joinRefs = new Map<string, string | null>()

  /** The topics that the client has joined, in order. */
  get joins(): string[] {
    return this.of('phx_join').map(({ topic }) => topic)
  }

  /** Returns the received frames of an event. */
  of(event: string) {
    return this.frames.filter((frame) => frame.event === event)
  }

  /** Sends an event of this topic to all sockets. */
  send(topic: string, event: string, payload: unknown): void {
    for (const { deliver } of this.sockets) deliver([this.joinRefs.get(topic) ?? null, null, topic, event, payload])
  }

  /** Sends a change of a row. `binding`: the number (from 1) of the binding that the change matches, among those of the join. */
  sendChange(topic: string, binding: number, type: 'INSERT' | 'UPDATE' | 'DELETE', row: Record<string, unknown>): void {
    const columns = Object.keys(row).map((name) => ({ name, type: name === 'version' ? 'int8' : 'uuid' }))
    const rows = type === 'DELETE' ? { old_record: row, record: {} } : { record: row }
    const data = { type, schema: 'public', table: 'x', commit_timestamp: '', columns, errors: null, ...rows }
    this.send(topic, 'postgres_changes', { ids: [binding], data })
  }

  /** Receives a frame of a socket and replies to it. */
  receive(deliver: (frame: Frame) => void, text: string): void {
    const [joinRef, ref, topic, event, payload] = JSON.parse(text) as Frame
    const reply = (response: unknown) => deliver([joinRef, ref, topic, 'phx_reply', { status: 'ok', response }])
    if (event === 'heartbeat') return reply({})
    this.frames.push({ topic, event, payload })
    if (event !== 'phx_join') return reply({})
    this.joinRefs.set(topic, joinRef)
    const bindings = listOf(fieldOf(fieldOf(payload, 'config'), 'postgres_changes'))
    reply({ postgres_changes: bindings.map((binding, index) => ({ id: index + 1, ...Object(binding) })) })
  }

  /** A WebSocket class whose sockets connect to this object. */
  get WebSocket(): typeof globalThis.WebSocket {
    const { sockets, opened } = this
    const receive = (...given: Parameters<typeof this.receive>) => this.receive(...given)
    class PreparedSocket extends EventTarget {
      static readonly [name: string]: unknown
      readyState = 0
      binaryType = 'arraybuffer'
      onopen: (() => void) | null = null
      onmessage: ((event: { data: string }) => void) | null = null
      onclose: ((event: { code: number; reason: string; wasClean: boolean }) => void) | null = null
      onerror: (() => void) | null = null
      readonly end = { deliver: (frame: Frame) => this.deliver(frame) }

      constructor(readonly url: string) {
        super()
        opened.push(url)
        queueMicrotask(() => {
          this.readyState = 1
          sockets.add(this.end)
          this.onopen?.()
        })
      }

      send(text: string): void {
        receive(this.end.deliver, text)
      }

      close(code = 1000, reason = ''): void {
        sockets.delete(this.end)
        this.readyState = 3
        this.onclose?.({ code, reason, wasClean: true })
      }

      private deliver(frame: Frame): void {
        queueMicrotask(() => this.readyState === 1 && this.onmessage?.({ data: JSON.stringify(frame) }))
      }
    }
    return PreparedSocket as unknown as typeof globalThis.WebSocket
  }
}
