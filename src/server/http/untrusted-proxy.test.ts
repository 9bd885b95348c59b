import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import type { TrustProxy } from './ip-address.ts'
import { createListener } from './listener.ts'

/** Sends one request per element of `forwarded`, with this value of `X-Forwarded-For` (null: without it). Returns the logged warnings. */
async function warningsOf(trustProxy: TrustProxy, forwarded: readonly (string | null)[]): Promise<string[]> {
  const lines: string[] = []
  const listener = createListener({
    handler: async () => ({ status: 204 }),
    commonHeaders: () => ({}),
    log: pino({ level: 'warn' }, { write: (line: string) => lines.push(line) }),
    trustProxy,
    bodyLimit: () => 0,
  })
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const { port } = listener.address() as AddressInfo
  for (const address of forwarded)
    await fetch(`http://127.0.0.1:${port}/`, address === null ? {} : { headers: { 'X-Forwarded-For': address } })
  listener.close()
  listener.closeAllConnections()
  return lines.map((line) => (JSON.parse(line) as { msg: string }).msg)
}

it('a proxy that is not trusted is reported once, at the first request that it forwards', async () => {
  const warnings = await warningsOf({ hops: 0 }, [null, '203.0.113.5', '203.0.113.6'])
  expect(warnings).toEqual([expect.stringMatching(/X-Forwarded-For.* TRUST_PROXY is off: .* set TRUST_PROXY/)])
})

it('a trusted proxy, and a client without a proxy, are not reported', async () => {
  expect(await warningsOf({ hops: 1 }, ['203.0.113.5'])).toEqual([])
  expect(await warningsOf({ addresses: ['127.0.0.1'] }, ['203.0.113.5'])).toEqual([])
  expect(await warningsOf({ hops: 0 }, [null, null])).toEqual([])
})
