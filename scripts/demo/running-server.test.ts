import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { publishableKeyWhenReady } from './running-server.ts'

it('the key of a server is read even if the server did not answer the first request', async () => {
  let requestCount = 0
  const server = createServer((message, response) => {
    if (++requestCount === 1) return
    response.end(message.url === '/config.js' ? 'window.config = {"publishableKey":"sb_publishable_1"}' : 'ok')
  }).listen(0)
  await once(server, 'listening')
  try {
    const { port } = server.address() as AddressInfo
    expect(await publishableKeyWhenReady(`http://localhost:${port}`)).toBe('sb_publishable_1')
    expect(requestCount).toBe(3)
  } finally {
    server.closeAllConnections()
    server.close()
  }
})
