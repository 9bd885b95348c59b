/**
 * A load generator in its own process: keeps `connections` sockets busy for `seconds`, each with one request at a time, and prints the result as
 * one line of JSON. Uses raw sockets, so that it needs as little CPU time as pgbench.
 */
import { createConnection, type Socket } from 'node:net'
import { responseLength } from './response-length.ts'

/** What the load generator sends. It reads this as JSON from standard input. */
export interface LoadOrder {
  host: string
  port: number
  connections: number
  seconds: number
  /** Complete requests: one list per connection, which picks from it at random. */
  requests: string[][]
  /** The status that counts as success. */
  status: number
}

/** What the load generator prints. */
export interface LoadReport {
  /** Responses per second, including failed ones. */
  perSecond: number
  responses: number
  /** Median and 99th percentile of the time from a request to its response (ms). */
  p50: number
  p99: number
  failed: number
  /** The first failed response. Null if none failed. */
  example: string | null
}

const order = JSON.parse(await readStandardInput()) as LoadOrder
const messages = order.requests.map((list) => list.map((request) => Buffer.from(request)))
const expected = Buffer.from(`HTTP/1.1 ${order.status} `)
const latencies: number[] = []
let failed = 0
let example: string | null = null

const sockets = await Promise.all(Array.from({ length: order.connections }, connect))
const began = performance.now()
const until = began + order.seconds * 1000
await Promise.all(sockets.map(keepBusy))
const seconds = (performance.now() - began) / 1000
latencies.sort((a, b) => a - b)
const at = (share: number) => latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? 0
const responses = latencies.length
const report: LoadReport = { perSecond: responses / seconds, responses, p50: at(0.5), p99: at(0.99), failed, example }
process.stdout.write(`${JSON.stringify(report)}\n`)
process.exit(0)

function connect(): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = createConnection({ host: order.host, port: order.port, noDelay: true }, () => resolve(socket))
    socket.once('error', reject)
  })
}

function keepBusy(socket: Socket, index: number): Promise<void> {
  const own = messages[index % messages.length] ?? []
  return new Promise((resolve, reject) => {
    let sentAt = 0
    let received: Buffer | null = null
    const send = () => {
      sentAt = performance.now()
      if (sentAt >= until) {
        socket.destroy()
        resolve()
        return
      }
      socket.write(own[Math.floor(Math.random() * own.length)] as Buffer)
    }
    socket.on('data', (chunk: Buffer) => {
      received = received === null ? chunk : Buffer.concat([received, chunk])
      const length = responseLength(received)
      if (length === null || received.length < length) return
      latencies.push(performance.now() - sentAt)
      if (received.compare(expected, 0, expected.length, 0, expected.length) !== 0) {
        failed++
        example ??= received.toString().slice(0, 600)
      }
      received = null
      send()
    })
    socket.on('error', reject)
    socket.on('close', () => resolve())
    send()
  })
}

async function readStandardInput(): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}
