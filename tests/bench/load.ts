/**
 * A load generator in its own process: keeps `connections` sockets busy for `seconds`, each with one request at a time, and prints the result as
 * one line of JSON. Uses raw sockets, so that it needs as little processor time as pgbench.
 */
import { createConnection, type Socket } from 'node:net'
import { responseLength } from './response-length.ts'

/** What the load generator has to send. It reads this order as JSON from standard input. */
export interface LoadOrder {
  host: string
  port: number
  connections: number
  seconds: number
  /** Lists of complete requests. Each connection picks at random from one list; the lists are assigned in turn. */
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
const requestBuffers = order.requests.map((list) => list.map((request) => Buffer.from(request)))
const expectedStatusLine = Buffer.from(`HTTP/1.1 ${order.status} `)
const latencies: number[] = []
let failed = 0
let example: string | null = null

const sockets = await Promise.all(Array.from({ length: order.connections }, connect))
const startedAt = performance.now()
const deadline = startedAt + order.seconds * 1000
await Promise.all(sockets.map(keepBusy))
const seconds = (performance.now() - startedAt) / 1000
latencies.sort((a, b) => a - b)
const percentile = (share: number) =>
  latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? 0
const responses = latencies.length
const report: LoadReport = {
  perSecond: responses / seconds,
  responses,
  p50: percentile(0.5),
  p99: percentile(0.99),
  failed,
  example,
}
process.stdout.write(`${JSON.stringify(report)}\n`)
process.exit(0)

function connect(): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = createConnection({ host: order.host, port: order.port, noDelay: true }, () => resolve(socket))
    socket.once('error', reject)
  })
}

function keepBusy(socket: Socket, index: number): Promise<void> {
  const ownRequests = requestBuffers[index % requestBuffers.length] ?? []
  return new Promise((resolve, reject) => {
    let sentAt = 0
    let received: Buffer | null = null
    const send = () => {
      sentAt = performance.now()
      if (sentAt >= deadline) {
        socket.destroy()
        resolve()
        return
      }
      socket.write(ownRequests[Math.floor(Math.random() * ownRequests.length)] as Buffer)
    }
    socket.on('data', (chunk: Buffer) => {
      received = received === null ? chunk : Buffer.concat([received, chunk])
      const length = responseLength(received)
      if (length === null || received.length < length) return
      latencies.push(performance.now() - sentAt)
      if (received.compare(expectedStatusLine, 0, expectedStatusLine.length, 0, expectedStatusLine.length) !== 0) {
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
