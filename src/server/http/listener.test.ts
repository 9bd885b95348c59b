import { EventEmitter, once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { createListener } from './listener.ts'

it('the measured time of a request ends when its response is handed to the connection, not when the client has read it', async () => {
  const events = new EventEmitter()
  const listener = createListener({
    handler: async () => ({ status: 200, body: Buffer.alloc(20 * 1024 * 1024) }),
    commonHeaders: () => ({}),
    log: pino({ level: 'silent' }),
    trustProxy: { hops: 0 },
    bodyLimit: () => 0,
    onResponse: (path, status) => events.emit('measured', path, status),
  })
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const [received, measured] = [once(listener, 'request'), once(events, 'measured')]
  const client = connect((listener.address() as AddressInfo).port, '127.0.0.1').pause()
  client.write('GET /files HTTP/1.1\r\nHost: x\r\n\r\n')
  const [, response] = (await received) as [IncomingMessage, ServerResponse]
  expect(await measured).toEqual(['/files', 200])
  expect([response.writableEnded, response.writableFinished]).toEqual([true, false])
  const closed = once(response, 'close')
  client.resume()
  await closed
  expect(response.writableFinished).toBe(true)
  client.destroy()
  listener.close()
})
