import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import WebSocket from 'ws'
import { anyMessage, sendMessages } from '../harness/fuzz-frames.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server?.stop())

it('after 600 random messages the sockets and the server keep responding', async () => {
  const messages = fc.sample(anyMessage, { numRuns: 600, seed: 42 })
  const { sockets, answered } = await sendMessages(server, messages)
  expect(answered).toBe(sockets)
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
})

it('without the API key, or at another URL, no socket is opened', async () => {
  const socketUrl = `${server.url.replace('http', 'ws')}/realtime/v1/websocket`
  for (const [url, status] of [
    [socketUrl, 401],
    [`${socketUrl}?apikey=wrong`, 401],
    [`${socketUrl.replace('websocket', 'other')}?apikey=${server.publishableKey}`, 404],
  ] as const) {
    const outcome = await new Promise((resolve) => {
      const socket = new WebSocket(url)
      socket.on('unexpected-response', (_, response) => resolve(response.statusCode))
      socket.on('open', () => resolve('open'))
      socket.on('error', (error) => resolve(error.message))
    })
    expect(outcome).toBe(status)
  }
})

it('a socket that sends without a pause is closed', async () => {
  const socket = new WebSocket(
    `${server.url.replace('http', 'ws')}/realtime/v1/websocket?apikey=${server.publishableKey}&vsn=2.0.0`,
  )
  const code = await new Promise((resolve) => {
    socket.on('open', () => {
      for (let i = 0; i < 1000; i++) socket.send(`[null,"${i}","phoenix","heartbeat",{}]`)
    })
    socket.on('close', resolve)
    socket.on('error', () => {})
  })
  expect(code).toBe(1008)
})
