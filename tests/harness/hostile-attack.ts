import type { Pool } from 'pg'
import { type HostileResult, sendHostile } from './hostile-sender.ts'
import { hostileRequests } from './hostile-requests.ts'
import type { TestServer } from './server.ts'

export interface HostileAttack {
  /** The token of a signed-up user. */
  token: string
  /** The user's own brand. */
  brandId: string
  seed: number
  /** The number of requests in total. */
  requests: number
  /** The number of requests that are sent in parallel. */
  together: number
}

export interface HostileOutcome {
  /** Requests by status. 0: the connection was closed without a response, or the sender did not wait. */
  statuses: Record<string, number>
  /** The response with the most bytes, and the kind of its request. */
  largest: HostileResult & { kind: string }
}

/** Sends hostile requests. Throws if a response is 5xx, except 503 and 504. */
export async function hostileAttack(
  { url, publishableKey }: Pick<TestServer, 'url' | 'publishableKey'>,
  { token, brandId, seed, requests, together }: HostileAttack,
): Promise<HostileOutcome> {
  const headers = { apikey: publishableKey, authorization: `Bearer ${token}` }
  const source = hostileRequests(seed, requests, { brandId })
  const statuses = new Map<number, number>()
  let largest: HostileOutcome['largest'] = { status: 0, bytes: 0, ms: 0, kind: '' }
  const worker = async () => {
    for (const request of source) {
      const response = await sendHostile(url, headers, request)
      statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1)
      if (response.bytes > largest.bytes) largest = { ...response, kind: request.kind }
      if (response.status >= 500 && ![503, 504].includes(response.status))
        throw new Error(`${request.kind} was answered with ${response.status} (seed ${seed})`)
    }
  }
  await Promise.all(Array.from({ length: together }, worker))
  return { statuses: Object.fromEntries([...statuses].sort(([a], [b]) => a - b)), largest }
}

/** Adds 960 companies with notes of 10,000 characters each, and 1,500 contacts, who work at the first 60 of these companies. */
export async function fillWithWideRecords(owner: Pool, brandId: string, userId: string): Promise<void> {
  await owner.query(
    `insert into public.companies (brand_id, name, notes, owner_id)
     select $1, 'Company ' || i, repeat('n', 10000), $2 from generate_series(1, 960) as i`,
    [brandId, userId],
  )
  await owner.query(
    `insert into public.contacts (brand_id, email, first_name, company_id)
     select $1, 'c' || i || '@example.org', repeat('x', 60), (
       select id from public.companies where brand_id = $1 and name = 'Company ' || (1 + i % 60))
     from generate_series(1, 1500) as i`,
    [brandId],
  )
  await owner.query('analyze')
}
