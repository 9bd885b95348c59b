import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterEach, expect, it, vi } from 'vitest'
import { sendResponse } from './send-response.ts'
import { disconnectSlowReader, whenSent } from './slow-reader.ts'

const responseBytes = 20 * 1024 * 1024
afterEach(() => vi.useRealTimers())

/** Starts a server and a client that sends a request and reads no response. */
async function receiveRequest() {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  client.on('error', () => {}).pause()
  client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  const [message, response] = (await once(server, 'request')) as [IncomingMessage, ServerResponse]
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  return { server, client, message, response }
}

/** Sends a response of 20 MiB, which the client does not read. `timersSet`: how many timers this response has set. */
async function sendUnreadResponse() {
  const received = await receiveRequest()
  received.response.end(Buffer.alloc(responseBytes))
  const timersBefore = vi.getTimerCount()
  disconnectSlowReader(received.response, responseBytes)
  return { ...received, timersSet: vi.getTimerCount() - timersBefore }
}

it('a client that has not read a large response is disconnected when its time is over, and not earlier', async () => {
  const { server, client, response } = await sendUnreadResponse()
  const onSent = vi.fn()
  whenSent(response, onSent)
  vi.advanceTimersByTime(30_000 + responseBytes / 32.768 - 1000)
  expect(response.destroyed).toBe(false)
  const closed = once(response, 'close')
  vi.advanceTimersByTime(2000)
  expect(response.destroyed).toBe(true)
  await closed
  expect(onSent).toHaveBeenCalledOnce()
  client.destroy()
  server.close()
})

it('after a client has read the whole response, no timer is left that would disconnect it', async () => {
  const { server, client, response, timersSet } = await sendUnreadResponse()
  expect(timersSet).toBe(1)
  // Files share a process: other code may set a timer while the client reads. Only the timers that the event 'close' itself
  // removes belong to this response.
  const foreignTimer = setTimeout(() => {}, 1000)
  let timersBefore = 0
  response.prependOnceListener('close', () => (timersBefore = vi.getTimerCount()))
  const timersRemoved = new Promise((resolve) => {
    response.once('close', () => resolve(timersBefore - vi.getTimerCount()))
  })
  client.resume()
  expect(await timersRemoved).toBe(timersSet)
  clearTimeout(foreignTimer)
  expect(response.writableFinished).toBe(true)
  const onSent = vi.fn()
  whenSent(response, onSent)
  expect(onSent).toHaveBeenCalledOnce()
  client.destroy()
  server.close()
})

it('`sendResponse` sets the time limit: a client that does not read its large response is disconnected', async () => {
  const { server, client, message, response } = await receiveRequest()
  await sendResponse(message, response, { status: 200, body: Buffer.alloc(responseBytes) })
  expect(response.destroyed).toBe(false)
  const closed = once(response, 'close')
  vi.advanceTimersByTime(30_000 + responseBytes / 32.768 + 1000)
  expect(response.destroyed).toBe(true)
  await closed
  client.destroy()
  server.close()
})
