import { type LiveSocket, openLiveSocket } from '../harness/live-sockets.ts'
import type { TestServer } from '../harness/server.ts'
import type { BenchBrand } from './bench-brand.ts'
import { runLoad, median } from './run-load.ts'

/** A figure without a counterpart in pgbench. */
export interface ServiceFigure {
  name: string
  connections: number
  /** Null if a rate means nothing, as for the fan-out. */
  perSecond: number | null
  /** Median and 99th percentile of the duration (ms). */
  p50: number
  p99: number
}

type Server = Pick<TestServer, 'url' | 'publishableKey'>

/** Measures sign-ins of one person. Hashing the password takes most of the time, by design. */
export async function measureSignIns(server: Server, data: BenchBrand, connections: number, seconds: number) {
  const body = JSON.stringify({ email: data.email, password: data.password })
  const headerLines = [
    'POST /auth/v1/token?grant_type=password HTTP/1.1',
    'host: bench',
    `apikey: ${server.publishableKey}`,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
  ]
  const requests = [[`${headerLines.join('\r\n')}\r\n\r\n${body}`]]
  const { perSecond, p50, p99, failed, example } = await runLoad(server.url, {
    connections,
    seconds,
    requests,
    status: 200,
  })
  if (failed > 0) throw new Error(`${failed} sign-ins failed: ${example}`)
  return { name: 'sign-in', connections, perSecond, p50, p99 } satisfies ServiceFigure
}

/** Measures session refreshes. Each connection refreshes its own session repeatedly. */
export async function measureRefreshes(server: Server, data: BenchBrand, connections: number, seconds: number) {
  const latencies: number[] = []
  const tokens: string[] = []
  for (let session = 0; session < connections; session++) tokens.push((await signIn(server, data)).refresh_token)
  const deadline = performance.now() + seconds * 1000
  await Promise.all(
    tokens.map(async (firstToken) => {
      for (let token = firstToken; performance.now() < deadline; ) {
        const sentAt = performance.now()
        token = (await requestTokens(server, 'refresh_token', { refresh_token: token })).refresh_token
        latencies.push(performance.now() - sentAt)
      }
    }),
  )
  return { name: 'refresh', connections, perSecond: latencies.length / seconds, ...percentiles(latencies) }
}

/** Measures, for each of 20 writes and each of `connections` sockets, the time from the write until the socket has received the change. */
export async function measureFanOut(server: Server, data: BenchBrand, connections: number) {
  const { brandId, dealIds } = data
  // A person has 50 sessions at most. The measured sign-ins may have ended the session of `data.token`, so this needs a new one.
  const token = (await signIn(server, data)).access_token
  const sentTimes = new Map<string, number>()
  const sentAt = (name: string) => sentTimes.get(name) ?? Number.NaN
  const sockets: LiveSocket[] = []
  // The server allows a network 20 sockets on which no user is signed in yet, so the sockets are opened in groups of 10.
  while (sockets.length < connections) {
    const batchSize = Math.min(10, connections - sockets.length)
    const openingSockets = Array.from({ length: batchSize }, () => openLiveSocket(server, { token, brandId, sentAt }))
    sockets.push(...(await Promise.all(openingSockets)))
  }
  const writes = 20
  for (let write = 0; write < writes; write++) {
    const name = `Fan-out ${write}`
    sentTimes.set(name, performance.now())
    const response = await fetch(`${server.url}/rest/v1/deals?id=eq.${dealIds[write]}&brand_id=eq.${brandId}`, {
      method: 'PATCH',
      headers: { apikey: server.publishableKey, authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name }),
    })
    if (!response.ok) throw new Error(`a write was refused: ${response.status}`)
    const deadline = performance.now() + 5000
    while (sockets.some(({ received }) => received.length <= write) && performance.now() < deadline)
      await new Promise((resolve) => setTimeout(resolve, 20))
  }
  const delays = sockets.flatMap(({ received }) => received.map(({ delay }) => delay))
  for (const socket of sockets) socket.close()
  if (delays.length < writes * connections)
    throw new Error(`${writes * connections - delays.length} of ${writes * connections} changes did not arrive`)
  return { name: 'fan-out of a write', connections, perSecond: null, ...percentiles(delays) }
}

function signIn(server: Server, { email, password }: BenchBrand) {
  return requestTokens(server, 'password', { email, password })
}

async function requestTokens(server: Server, grant: 'password' | 'refresh_token', body: object) {
  const response = await fetch(`${server.url}/auth/v1/token?grant_type=${grant}`, {
    method: 'POST',
    headers: { apikey: server.publishableKey, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${grant}: ${response.status} ${await response.text()}`)
  return (await response.json()) as { access_token: string; refresh_token: string }
}

function percentiles(values: readonly number[]): { p50: number; p99: number } {
  const sorted = [...values].sort((a, b) => a - b)
  return { p50: median(sorted), p99: sorted[Math.floor(sorted.length * 0.99)] ?? 0 }
}
