import { once } from 'node:events'
import { Agent, type ClientRequest, type IncomingMessage, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createListener } from './listener.ts'

/** The headers by which Java's HttpClient and `curl --http2` offer HTTP/2. */
const http2Offer = {
  Connection: 'Upgrade, HTTP2-Settings',
  Upgrade: 'h2c',
  'HTTP2-Settings': 'AAMAAABkAAQAAP__',
}

describe('a request that offers another protocol', () => {
  let listener: Server

  /** The handler repeats the request. As in the server, a listener of 'upgrade' refuses unknown paths. */
  beforeAll(async () => {
    listener = createListener({
      handler: async ({ method, body }) => ({ status: 200, body: Buffer.from(`${method} ${body.toString()}`) }),
      commonHeaders: () => ({}),
      log: pino({ level: 'silent' }),
      trustProxy: { hops: 0 },
      bodyLimit: () => 100,
    })
    listener.on('upgrade', (_, socket) => socket.end('HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n'))
    listener.listen(0, '127.0.0.1')
    await once(listener, 'listening')
  })
  afterAll(() => listener.close())

  /** Returns the status, the body, and the client's port, by which the connection is recognised. */
  async function responseOf(sent: ClientRequest): Promise<{ status: unknown; body: string; port: unknown }> {
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    const { localPort: port } = response.socket
    return { status: response.statusCode, body: await text(response), port }
  }

  it('a request that offers h2c gets the response in HTTP/1.1, its body is read, and the connection stays open', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const send = (method: string, headers: Record<string, string>, body = '') => {
      const { port } = listener.address() as AddressInfo
      return responseOf(request({ agent, host: '127.0.0.1', port, method, headers }).end(body))
    }
    const responses = [
      await send('GET', http2Offer),
      await send('POST', { ...http2Offer, 'Content-Length': '3' }, 'abc'),
      await send('POST', { ...http2Offer, 'Transfer-Encoding': 'chunked' }, 'def'),
      await send('GET', {}),
    ]
    agent.destroy()
    expect(responses.map(({ body }) => body)).toEqual(['GET ', 'POST abc', 'POST def', 'GET '])
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]))
    expect(new Set(responses.map(({ port }) => port)).size).toBe(1)
  })

  it.each(['websocket', 'WebSocket'])('an upgrade to %s is left to the listener of upgrades', async (protocol) => {
    const { port } = listener.address() as AddressInfo
    const headers = { Connection: 'Upgrade', Upgrade: protocol }
    const { status } = await responseOf(request({ agent: false, host: '127.0.0.1', port, headers }).end())
    expect(status).toBe(404)
  })
})
