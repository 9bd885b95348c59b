import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fuzz } from '../harness/fuzz-run.ts'
import { type Library, startLibrary } from './book-library-server.ts'

let library: Library
beforeAll(async () => {
  library = await startLibrary()
})
afterAll(() => library?.stop())

describe('random requests over tables, functions and accounts', () => {
  it('random requests over tables, functions and accounts never get a 5xx response, a late response, or a response with internal details', async () => {
    const { data } = await library.reader.auth.getSession()
    const { requests, statuses } = await fuzz({
      url: library.server.url,
      headers: { apikey: library.server.publishableKey, authorization: `Bearer ${data.session?.access_token}` },
      owner: library.owner,
      requests: 5000,
      seed: 20261121,
    })
    expect(requests).toBeGreaterThanOrEqual(5000)
    // Enough requests must succeed: a server that refuses everything would pass otherwise.
    const successCount = [...statuses].filter(([status]) => status < 300).reduce((sum, [, times]) => sum + times, 0)
    expect(successCount).toBeGreaterThan(requests / 20)
    expect((await library.reader.from('books').select('id').limit(1)).error).toBeNull()
  }, 120_000)
})
