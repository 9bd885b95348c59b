import type { BenchBrand } from './bench-brand.ts'
import { growthQueries } from './growth-queries.ts'
import { type Operation, operations } from './operations.ts'

/** The measured queries of the app. Key: the name in the printed table. Value: the name in `growth-queries.ts`. */
const queryNames: Readonly<Record<string, string>> = {
  'page of a filter': 'contacts of a busy owner, by name',
  'search by name': 'contacts: anna sch',
  'search, a letter': 'contacts: l',
  board: 'board',
  dashboard: 'overview',
}

/** Returns the requests of `npm run bench` that pgbench can repeat: writes, a list, and the app's queries. */
export function benchRequests(data: BenchBrand): Omit<Operation, 'targetRatio'>[] {
  const appQueries = growthQueries(data.brand)
  const queryRequests = Object.entries(queryNames).map(([name, query]) => {
    const appQuery = appQueries.find((candidate) => candidate.name === query)
    if (!appQuery) throw new Error(`There is no query '${query}'.`)
    const [p_brand_id, queries] = appQuery.values
    const body = JSON.stringify({ p_brand_id, p_queries: JSON.parse(String(queries)) as unknown })
    const headers = { 'content-type': 'application/json' }
    return { name, status: 200, requests: [[{ method: 'POST', target: 'rpc/read_queries', headers, body }]] }
  })
  return [...operations(data), ...queryRequests]
}
