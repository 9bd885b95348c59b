import type { BenchData } from './bench-data.ts'
import type { BenchRequest } from './run-load.ts'

/** A kind of request that is measured. `status`: of a successful response. */
export interface Operation {
  name: string
  /** The target: the server's rate divided by pgbench's rate. */
  targetRatio: number
  status: number
  /** Lists of requests. Each connection picks at random from one list; the lists are assigned in turn. */
  requests: BenchRequest[][]
}

/** Returns a list of contacts, a move of a deal and an insert of a task, which `npm run bench` and other benchmarks measure. */
export function operations({ brandId, stageIds, dealIds, contactId }: BenchData): Operation[] {
  const json = { 'content-type': 'application/json' }
  const task = {
    brand_id: brandId,
    title: 'Call back',
    due_at: '2026-12-01T09:00:00Z',
    priority: 'normal',
    status: 'open',
    contact_id: contactId,
    deal_id: null,
  }
  const listTarget = `contacts?select=*%2Ccompanies%28name%29&brand_id=eq.${brandId}&order=created_at.desc&limit=50`
  return [
    {
      name: 'list of 50',
      targetRatio: 0.5,
      status: 200,
      requests: [[{ method: 'GET', target: listTarget, headers: {}, body: '' }]],
    },
    {
      name: 'move',
      targetRatio: 0.6,
      status: 200,
      // Each request moves a deal to one of two stages, in the form that the app sends. The condition on the version always holds.
      requests: dealIds.map((id) =>
        stageIds.map((stageId) => ({
          method: 'PATCH',
          target: `deals?id=eq.${id}&brand_id=eq.${brandId}&version=gte.0&select=*`,
          headers: { ...json, prefer: 'return=representation' },
          body: JSON.stringify({ stage_id: stageId }),
        })),
      ),
    },
    {
      name: 'insert',
      targetRatio: 0.6,
      status: 201,
      requests: [[{ method: 'POST', target: 'tasks', headers: json, body: JSON.stringify(task) }]],
    },
  ]
}

/** Returns requests of the app that have no target: the first pull, a search, the overview's figures and the members. */
export function appRequests({ brandId }: BenchData): Omit<Operation, 'targetRatio'>[] {
  const rpcRequests = (name: string, args: Record<string, unknown>): BenchRequest[][] => [
    [
      {
        method: 'POST',
        target: `rpc/${name}`,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(args),
      },
    ],
  ]
  return [
    {
      name: 'first pull',
      status: 200,
      requests: rpcRequests('pull', { p_brand_id: brandId, p_cursor: null, p_tables: ['deals'], p_limit: 500 }),
    },
    {
      name: 'search',
      status: 200,
      requests: rpcRequests('search_contacts', { p_brand_id: brandId, p_query: 'last 77' }),
    },
    { name: 'dashboard', status: 200, requests: rpcRequests('dashboard', { p_brand_id: brandId }) },
    { name: 'members', status: 200, requests: rpcRequests('list_brand_members', { p_brand_id: brandId }) },
  ]
}
