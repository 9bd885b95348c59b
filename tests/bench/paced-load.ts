/**
 * A load generator in its own process: sends requests at a fixed rate, even if the responses are slower, and prints a report as one line of
 * JSON. Reads its order as JSON from standard input.
 */
import { randomUUID } from 'node:crypto'
import { createConnection, type Socket } from 'node:net'
import { responseLength } from './response-length.ts'
import { idPlaceholder, type PacedOrder, type PacedReport, type PacedRequest } from './paced-order.ts'

interface Connection {
  socket: Socket
  received: Buffer | null
  /** True if a response has arrived on this connection. */
  isUsed: boolean
  pending: { user: number; sentAt: number; id: string | null } | null
}

const order = JSON.parse(await readStandardInput()) as PacedOrder
const report: PacedReport = {
  sent: 0,
  notSent: 0,
  statuses: {},
  p50: 0,
  p99: 0,
  p99OfOthers: 0,
  p99OfFirst: 0,
  p99OfLater: 0,
  p99OfRefused: 0,
  withoutRetryAfter: 0,
  accepted: order.users.map(() => 0),
  added: [],
  unknown: [],
}
const latencies: number[] = []
const latenciesOfOthers: number[] = []
const latenciesOfFirst: number[] = []
const latenciesOfLater: number[] = []
const latenciesOfRefused: number[] = []
const idleConnections: Connection[] = []
let openCount = 0

await Promise.all(
  Array.from({ length: Math.min(50, order.connections) }, () =>
    connect().then((opened) => idleConnections.push(opened)),
  ),
)
const startedAt = performance.now()
await new Promise<void>((resolve) => {
  const timer = setInterval(() => {
    const passedMs = Math.min(performance.now() - startedAt, order.seconds * 1000)
    const dueCount = Math.floor((passedMs * order.rate) / 1000) - report.sent - report.notSent
    for (let i = 0; i < dueCount; i++) send()
    if (passedMs < order.seconds * 1000) return
    clearInterval(timer)
    resolve()
  }, 5)
})
const deadline = performance.now() + 10_000
while (openCount > idleConnections.length && performance.now() < deadline)
  await new Promise((resolve) => setTimeout(resolve, 20))

const percentile = (values: number[], share: number) =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0
report.p50 = percentile(latencies, 0.5)
report.p99 = percentile(latencies, 0.99)
report.p99OfOthers = percentile(latenciesOfOthers, 0.99)
report.p99OfFirst = percentile(latenciesOfFirst, 0.99)
report.p99OfLater = percentile(latenciesOfLater, 0.99)
report.p99OfRefused = percentile(latenciesOfRefused, 0.99)
process.stdout.write(`${JSON.stringify(report)}\n`, () => process.exit(0))

function send(): void {
  const connection = idleConnections.pop()
  if (connection) return write(connection)
  if (openCount >= order.connections) {
    report.notSent++
    return
  }
  // Counts the request while its connection opens, so that the next tick does not send it again.
  report.sent++
  connect().then(
    (opened) => {
      report.sent--
      write(opened)
    },
    () => countStatus('lost'),
  )
}

function write(connection: Connection): void {
  const user = Math.random() < order.shareOfFirst ? 0 : Math.floor(Math.random() * order.users.length)
  const request = randomRequest(order.users[user] ?? [])
  const id = request.addsRow ? randomUUID() : null
  connection.pending = { user, sentAt: performance.now(), id }
  report.sent++
  connection.socket.write(id === null ? request.text : request.text.replace(idPlaceholder, id))
}

function connect(): Promise<Connection> {
  openCount++
  return new Promise((resolve, reject) => {
    const socket = createConnection({ host: order.host, port: order.port, noDelay: true })
    const connection: Connection = { socket, received: null, isUsed: false, pending: null }
    socket.once('connect', () => resolve(connection))
    socket.on('data', (chunk: Buffer) => receive(connection, chunk))
    socket.on('error', reject)
    socket.on('close', () => {
      openCount--
      const index = idleConnections.indexOf(connection)
      if (index >= 0) idleConnections.splice(index, 1)
      if (!connection.pending) return
      countStatus('lost')
      if (connection.pending.id !== null) report.unknown.push(connection.pending.id)
      connection.pending = null
    })
  })
}

function receive(connection: Connection, chunk: Buffer): void {
  const received = connection.received === null ? chunk : Buffer.concat([connection.received, chunk])
  connection.received = received
  const length = responseLength(received)
  if (length === null || received.length < length) return
  connection.received = null
  const { pending } = connection
  if (!pending) return
  connection.pending = null
  const head = received.toString('latin1', 0, received.indexOf('\r\n\r\n'))
  const status = Number(head.slice(9, 12))
  countStatus(String(status))
  const delayMs = performance.now() - pending.sentAt
  if (status < 300) {
    latencies.push(delayMs)
    const firstOrLater = connection.isUsed ? latenciesOfLater : latenciesOfFirst
    firstOrLater.push(delayMs)
    if (pending.user !== 0) latenciesOfOthers.push(delayMs)
    report.accepted[pending.user] = (report.accepted[pending.user] ?? 0) + 1
    if (pending.id !== null) report.added.push(pending.id)
  } else {
    latenciesOfRefused.push(delayMs)
    if (!/\r\nretry-after: \d/i.test(head)) report.withoutRetryAfter++
  }
  connection.isUsed = true
  if (/\r\nconnection: close/i.test(head)) connection.socket.destroy()
  else idleConnections.push(connection)
}

function countStatus(status: string): void {
  report.statuses[status] = (report.statuses[status] ?? 0) + 1
}

function randomRequest(requests: readonly PacedRequest[]): PacedRequest {
  let remainingWeight = Math.random() * requests.reduce((sum, { weight }) => sum + weight, 0)
  for (const request of requests) {
    remainingWeight -= request.weight
    if (remainingWeight < 0) return request
  }
  return requests.at(-1) as PacedRequest
}

async function readStandardInput(): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}
