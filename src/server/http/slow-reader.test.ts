import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterEach, expect, it, vi } from 'vitest'
import { sendResponse } from './send-response.ts'
import { disconnectSlowReader, whenSent } from './slow-reader.ts'

const bytes = 20 * 1024 * 1024
afterEach(() => vi.useRealTimers())

/** Starts a server that answers 20 MB, and a client that asks and reads nothing. */
async function requestAnswer() {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const caller = connect((server.address() as AddressInfo).port, '127.0.0.1')
  caller.on('error', () => {}).pause()
  caller.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  const [message, response] = (await once(server, 'request')) as [IncomingMessage, ServerResponse]
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  return { server, caller, message, response }
}

/** It answers them. */
async function sendUnreadAnswer() {
  const asked = await requestAnswer()
  asked.response.end(Buffer.alloc(bytes))
  disconnectSlowReader(asked.response, bytes)
  return asked
}

it('disconnects a client that has not read a large answer in its time, and not earlier', async () => {
  const { server, caller, response } = await sendUnreadAnswer()
  const sent = vi.fn()
  whenSent(response, sent)
  vi.advanceTimersByTime(30_000 + bytes / 32.768 - 1000)
  expect(response.destroyed).toBe(false)
  const closed = once(response, 'close')
  vi.advanceTimersByTime(2000)
  expect(response.destroyed).toBe(true)
  await closed
  expect(sent).toHaveBeenCalledOnce()
  caller.destroy()
  server.close()
})

it('keeps the connection of a client that has read it', async () => {
  const { server, caller, response } = await sendUnreadAnswer()
  const closed = once(response, 'close')
  caller.resume()
  await closed
  expect(vi.getTimerCount()).toBe(0)
  expect(response.writableFinished).toBe(true)
  const sent = vi.fn()
  whenSent(response, sent)
  expect(sent).toHaveBeenCalledOnce()
  caller.destroy()
  server.close()
})

it('checks each answer that is sent', async () => {
  const { server, caller, message, response } = await requestAnswer()
  await sendResponse(message, response, { status: 200, body: Buffer.alloc(bytes) })
  expect(response.destroyed).toBe(false)
  const closed = once(response, 'close')
  vi.advanceTimersByTime(30_000 + bytes / 32.768 + 1000)
  expect(response.destroyed).toBe(true)
  await closed
  caller.destroy()
  server.close()
})
