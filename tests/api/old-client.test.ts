import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { earlierReleases } from '../harness/earlier-release.ts'
import { type Exchanges, findDifferences, replay, shapeOf } from '../harness/exchanges.ts'
import { startTestServer } from '../harness/server.ts'

/**
 * Returns the recorded requests that the data layer of an earlier release sent, and the shapes of their responses. The tests below send these
 * requests to the current server: a page that stays open, or an offline app, may be older than the server. tests/long/old-client.test.ts runs
 * the data layer itself.
 */
const recordOf = (name: string): Exchanges =>
  JSON.parse(readFileSync(join(import.meta.dirname, `../fixtures/earlier-clients/${name}.json`), 'utf8'))

describe.each(earlierReleases)('the recorded requests of the client of $name', ({ name, usesReadQueries }) => {
  const recorded = recordOf(name)
  const kinds = Object.keys(recorded.answers)

  test('the recorded requests of this client exist', () => {
    expect(recorded.requests.length).toBeGreaterThan(80)
    const lists = usesReadQueries
      ? ['read_queries']
      : ['board', 'dashboard', 'search_deals', 'search_contacts', 'search_companies']
    for (const functionName of [
      'pull',
      'quick_create_deal',
      'upsert_contact',
      'restore_records',
      'record_deletion',
      ...lists,
    ])
      expect(kinds).toContain(`POST /rest/v1/rpc/${functionName} 200`)
    for (const kind of ['POST /rest/v1/deals 201', 'PATCH /rest/v1/deals 200', 'DELETE /rest/v1/tasks 200'])
      expect(kinds).toContain(kind)
    expect(kinds.filter((kind) => kind.startsWith('POST /auth/v1/token'))).toEqual(['POST /auth/v1/token 200'])
  })

  test('the recorded requests get the same responses as when they were recorded: each status, and each field that the client may read', async () => {
    const server = await startTestServer()
    try {
      const { statuses, answers } = await replay(recorded, server)
      const linesWithStatus = (status: (index: number) => number | undefined) =>
        recorded.requests.map(({ method, url }, index) => `${index} ${method} ${url} ${status(index)}`)
      expect(linesWithStatus((index) => statuses[index])).toEqual(
        linesWithStatus((index) => recorded.requests[index]?.status),
      )
      const faults = kinds.flatMap((kind) =>
        findDifferences(recorded.answers[kind] ?? { types: [] }, answers[kind], kind),
      )
      expect(faults).toEqual([])
    } finally {
      await server.stop()
    }
  }, 60_000)
})

test('the comparison finds a field that is missing, has another type or is newly null, and ignores a new field', () => {
  const recorded = shapeOf([{ id: 'a', amount: 1, links: { deal: 'b' }, notes: null }])
  const faultsOf = (response: unknown) => findDifferences(recorded, shapeOf(response), 'deals')
  expect(faultsOf([{ id: 'a', amount: 2, links: { deal: 'c' }, notes: 'Oak', more: true }])).toEqual([])
  expect(faultsOf([])).toEqual([])
  expect(faultsOf([{ id: 'a', amount: '2', links: {}, notes: null }])).toEqual([
    'deals[].amount is string, was number.',
    'deals[].links.deal is not there.',
  ])
  expect(faultsOf([{ amount: 1, links: { deal: null }, notes: null }])).toEqual([
    'deals[].id is not there.',
    'deals[].links.deal can be null.',
  ])
  const unnamed = { amount: 1, links: { deal: 'b' }, notes: null }
  expect(faultsOf([unnamed, { id: 'a', ...unnamed }])).toEqual(['deals[].id is not always there.'])
  expect(faultsOf({ rows: [] })).toEqual(['deals is object, was array.'])
})
