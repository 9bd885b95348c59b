import { expect, it } from 'vitest'
import { createConcurrencyLimit } from './concurrency-limit.ts'

it('requests of a network above its limit are refused, but not those of other networks; when a request has ended, another one may run', async () => {
  const limit = createConcurrencyLimit(2)
  const releases: (() => void)[] = []
  const runUntilReleased = () => new Promise<string>((resolve) => releases.push(() => resolve('done')))
  const [first, second] = [limit.run('192.0.2.1', runUntilReleased), limit.run('192.0.2.1', runUntilReleased)]
  await expect(limit.run('192.0.2.1', runUntilReleased)).rejects.toMatchObject({
    status: 503,
    headers: { 'Retry-After': '1' },
  })
  const otherNetworksRequest = limit.run('192.0.2.2', runUntilReleased)
  expect(releases).toHaveLength(3)
  for (const release of releases) release()
  expect(await Promise.all([first, second, otherNetworksRequest])).toEqual(['done', 'done', 'done'])

  const failing = limit.run('192.0.2.1', () => Promise.reject(new Error('no')))
  await expect(failing).rejects.toThrow('no')
  expect(await Promise.all([1, 2].map((n) => limit.run('192.0.2.1', async () => n)))).toEqual([1, 2])
})
