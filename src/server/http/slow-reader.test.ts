import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterEach, expect, it, vi } from 'vitest'
import { sendResponse } from './send-response.ts'
import { cutSlowReader, whenSent } from './slow-reader.ts'

const bytes = 20 * 1024 * 1024
afterEach(() => vi.useRealTimers())

/** A server that is asked for 20 MB by a caller who reads nothing. */
async function ask() {
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
async function stare() {
  const asked = await ask()
  asked.response.end(Buffer.alloc(bytes))
  cutSlowReader(asked.response, bytes)
  return asked
}

it('cuts off who has not taken a large answer in its time, and not before', async () => {
  const { server, caller, response } = await stare()
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

it('leaves who has taken it', async () => {
  const { server, caller, response } = await stare()
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

it('looks at each answer that is sent', async () => {
  const { server, caller, message, response } = await ask()
  await sendResponse(message, response, { status: 200, body: Buffer.alloc(bytes) })
  expect(response.destroyed).toBe(false)
  const closed = once(response, 'close')
  vi.advanceTimersByTime(30_000 + bytes / 32.768 + 1000)
  expect(response.destroyed).toBe(true)
  await closed
  caller.destroy()
  server.close()
})
