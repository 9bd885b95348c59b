import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { connect, createServer } from 'node:net'
import { Client } from 'pg'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { signUpPerson } from '../harness/client.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'

interface Tally {
  answered: number
  refusedConnections: number
  broken: string[]
}

/**
 * Sends requests over a kept-alive connection, each after the response to the previous one, until the server stops or more than ten requests
 * were broken. Counts the outcomes.
 */
async function requestUntilGone(url: string, headers: Record<string, string>, tally: Tally): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  for (;;) {
    const outcome = await requestOnce(url, headers, agent)
    if (outcome === 'answered') tally.answered++
    else if (outcome === 'ECONNREFUSED') {
      tally.refusedConnections++
      return
    } else tally.broken.push(outcome)
    if (tally.broken.length > 10) return
  }
}

function requestOnce(url: string, headers: Record<string, string>, agent: Agent): Promise<string> {
  return new Promise((resolve) => {
    const clientRequest = request(url, { agent, headers }, (response) => {
      response.resume()
      response.on('end', () => resolve(response.statusCode === 200 ? 'answered' : `status ${response.statusCode}`))
      response.on('error', (error: NodeJS.ErrnoException) => resolve(`cut: ${error.code}`))
    })
    clientRequest.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    clientRequest.end()
  })
}

describe('stopping', () => {
  let server: TestServer | undefined
  afterEach(async () => {
    await server?.stop()
    server = undefined
  })

  it.each(['SIGTERM', 'SIGINT'] as const)(
    'stopping the server by %s under load breaks no request and ends with 0',
    async (signal) => {
      server = await startTestServer({ product: false, run: 'process' })
      const tally: Tally = { answered: 0, refusedConnections: 0, broken: [] }
      const { session } = await signUpPerson(server, 'ana@example.com')
      const headers = { apikey: server.publishableKey, authorization: `Bearer ${session.access_token}` }
      const clients = Array.from({ length: 16 }, () => requestUntilGone(`${server?.url}/auth/v1/user`, headers, tally))
      await vi.waitFor(() => expect(tally.answered).toBeGreaterThan(300), 20_000)
      const startedAt = performance.now()
      server.child?.kill(signal)
      const [code] = await once(server.child!, 'exit')
      await Promise.all(clients)
      expect(tally.broken).toEqual([])
      expect(tally.refusedConnections).toBe(16)
      expect(code).toBe(0)
      expect(performance.now() - startedAt).toBeLessThan(10_000)
    },
  )

  it('the server that is stopping still responds to running requests, whose password hashes are being computed', async () => {
    server = await startTestServer({ product: false, run: 'process' })
    const { url, publishableKey, child } = server
    const responses = Array.from({ length: 8 }, (_, index) =>
      fetch(`${url}/auth/v1/signup`, {
        method: 'POST',
        headers: { apikey: publishableKey },
        body: JSON.stringify({ email: `p${index}@example.com`, password: 's@cret1' }),
      }),
    )
    await Promise.race(responses)
    child?.kill('SIGTERM')
    const statuses = (await Promise.all(responses)).map(({ status }) => status)
    expect(statuses).toEqual(statuses.map(() => 200))
  })

  it('stopping the server takes less than ten seconds, even if a request waits for a locked table', async () => {
    server = await startTestServer({ product: false, run: 'process' })
    const { url, publishableKey, child } = server
    const lockHolder = new Client({ connectionString: server.databaseUrl })
    // If the test fails, the database is dropped while this connection is open: ignores its error.
    lockHolder.on('error', () => {})
    await lockHolder.connect()
    await lockHolder.query('begin; lock table auth.users')
    const body = JSON.stringify({ email: 'ana@example.com', password: 's@cret1' })
    const blockedRequest = fetch(`${url}/auth/v1/signup`, { method: 'POST', headers: { apikey: publishableKey }, body })
    const outcome = blockedRequest.then(
      () => 'answered',
      () => 'cut',
    )
    await new Promise((resolve) => setTimeout(resolve, 500))
    const startedAt = performance.now()
    child?.kill('SIGTERM')
    const [code] = await once(child!, 'exit')
    expect([code, await outcome]).toEqual([0, 'cut'])
    // The server's own limit is eight seconds. Container runtimes kill a process after ten.
    expect(performance.now() - startedAt).toBeLessThan(10_000)
    await lockHolder.end()
  })

  it('the server that is stopping refuses new live connections with 503, and does not wait for them', async () => {
    const startedServer = await startTestServer({ product: false })
    const socket = connect(startedServer.port, '127.0.0.1')
    await once(socket, 'connect')
    const stopped = startedServer.stop()
    const headers =
      'Host: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA=='
    socket.write(
      `GET /realtime/v1/websocket?apikey=${startedServer.publishableKey}&vsn=2.0.0 HTTP/1.1\r\n${headers}\r\n\r\n`,
    )
    const [response] = (await once(socket, 'data')) as [Buffer]
    expect(response.toString()).toMatch(/^HTTP\/1\.1 503 /)
    await stopped
  })

  it('stopping the server is immediate at a second signal; two at the same moment, as from one key press, count as one', async () => {
    server = await startTestServer({ product: false, run: 'process' })
    const { port, child } = server
    const unfinishedRequest = request({
      port,
      host: '127.0.0.1',
      method: 'POST',
      path: '/auth/v1/signup',
      headers: { 'Content-Length': 10 },
    })
    unfinishedRequest.on('error', () => {})
    unfinishedRequest.flushHeaders()
    await once(unfinishedRequest, 'socket')
    child?.kill('SIGINT')
    child?.kill('SIGINT')
    await new Promise((resolve) => setTimeout(resolve, 1200))
    expect(child?.exitCode).toBeNull()
    child?.kill('SIGINT')
    const [code] = await once(child!, 'exit')
    expect(code).toBe(130)
  })
})

describe('starting', () => {
  it.each([
    [
      'a port that is taken',
      async () => ({ PORT: String(await takenPort()) }),
      /port \d+ is in use\. Stop .* or set PORT/,
    ],
    ['a port number that is too large', async () => ({ PORT: '70000' }), /PORT must be a port number/],
    [
      'a site URL without http or https',
      async () => ({ SITE_URL: 'crm.example.com' }),
      /SITE_URL must be an http or https URL/,
    ],
  ])('starting the server with %s prints one clear line and ends with exit code 1', async (_, env, line) => {
    const failure = await startTestServer({ product: false, run: 'process', env: await env() }).catch(
      (error: Error) => error,
    )
    expect(failure).toBeInstanceOf(Error)
    const { message } = failure as Error
    expect(message).toMatch(/^the server ended with 1: Banyan CRM cannot start: [^\n]*\n$/)
    expect(message).toMatch(line)
  })
})

/** Returns a port on which another server listens until the tests end. */
async function takenPort(): Promise<number> {
  const portHolder = createServer().listen(0, '127.0.0.1')
  await once(portHolder, 'listening')
  portHolder.unref()
  const address = portHolder.address()
  return typeof address === 'object' && address ? address.port : 0
}
