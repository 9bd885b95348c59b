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
const idle: Connection[] = []
let open = 0

await Promise.all(
  Array.from({ length: Math.min(50, order.connections) }, () => connect().then((one) => idle.push(one))),
)
const began = performance.now()
await new Promise<void>((resolve) => {
  const timer = setInterval(() => {
    const passed = Math.min(performance.now() - began, order.seconds * 1000)
    const due = Math.floor((passed * order.rate) / 1000) - report.sent - report.notSent
    for (let i = 0; i < due; i++) send()
    if (passed < order.seconds * 1000) return
    clearInterval(timer)
    resolve()
  }, 5)
})
const until = performance.now() + 10_000
while (open > idle.length && performance.now() < until) await new Promise((resolve) => setTimeout(resolve, 20))

const at = (values: number[], share: number) =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0
report.p50 = at(latencies, 0.5)
report.p99 = at(latencies, 0.99)
report.p99OfOthers = at(latenciesOfOthers, 0.99)
report.p99OfFirst = at(latenciesOfFirst, 0.99)
report.p99OfLater = at(latenciesOfLater, 0.99)
report.p99OfRefused = at(latenciesOfRefused, 0.99)
process.stdout.write(`${JSON.stringify(report)}\n`, () => process.exit(0))

function send(): void {
  const connection = idle.pop()
  if (connection) return write(connection)
  if (open >= order.connections) {
    report.notSent++
    return
  }
  report.sent++
  connect().then(
    (opened) => {
      report.sent--
      write(opened)
    },
    () => count('lost'),
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
  open++
  return new Promise((resolve, reject) => {
    const socket = createConnection({ host: order.host, port: order.port, noDelay: true })
    const connection: Connection = { socket, received: null, isUsed: false, pending: null }
    socket.once('connect', () => resolve(connection))
    socket.on('data', (chunk: Buffer) => receive(connection, chunk))
    socket.on('error', reject)
    socket.on('close', () => {
      open--
      const at = idle.indexOf(connection)
      if (at >= 0) idle.splice(at, 1)
      if (!connection.pending) return
      count('lost')
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
  count(String(status))
  const took = performance.now() - pending.sentAt
  if (status < 300) {
    latencies.push(took)
    const sameKind = connection.isUsed ? latenciesOfLater : latenciesOfFirst
    sameKind.push(took)
    if (pending.user !== 0) latenciesOfOthers.push(took)
    report.accepted[pending.user] = (report.accepted[pending.user] ?? 0) + 1
    if (pending.id !== null) report.added.push(pending.id)
  } else {
    latenciesOfRefused.push(took)
    if (!/\r\nretry-after: \d/i.test(head)) report.withoutRetryAfter++
  }
  connection.isUsed = true
  if (/\r\nconnection: close/i.test(head)) connection.socket.destroy()
  else idle.push(connection)
}

function count(status: string): void {
  report.statuses[status] = (report.statuses[status] ?? 0) + 1
}

function randomRequest(requests: readonly PacedRequest[]): PacedRequest {
  let left = Math.random() * requests.reduce((sum, { weight }) => sum + weight, 0)
  for (const request of requests) {
    left -= request.weight
    if (left < 0) return request
  }
  return requests.at(-1) as PacedRequest
}

async function readStandardInput(): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}
