import type { Pool } from 'pg'
import { type HostileAnswer, sendHostile } from './hostile-sender.ts'
import { hostileRequests } from './hostile-requests.ts'
import type { TestServer } from './server.ts'

export interface HostileAttack {
  /** The token of a signed-up user. */
  token: string
  /** The user's own brand. */
  brandId: string
  seed: number
  /** The number of requests in all, and in parallel. */
  requests: number
  together: number
}

export interface HostileOutcome {
  /** Requests by status; 0: closed without an answer, or the sender did not wait. */
  statuses: Record<string, number>
  widest: HostileAnswer & { kind: string }
}

/** Sends hostile requests. Throws if one is answered with a 5xx other than 503 and 504. */
export async function hostileAttack(
  { url, publishableKey }: Pick<TestServer, 'url' | 'publishableKey'>,
  { token, brandId, seed, requests, together }: HostileAttack,
): Promise<HostileOutcome> {
  const headers = { apikey: publishableKey, authorization: `Bearer ${token}` }
  const source = hostileRequests(seed, requests, { brandId })
  const statuses = new Map<number, number>()
  let widest: HostileOutcome['widest'] = { status: 0, bytes: 0, ms: 0, kind: '' }
  const worker = async () => {
    for (const request of source) {
      const answer = await sendHostile(url, headers, request)
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
      if (answer.bytes > widest.bytes) widest = { ...answer, kind: request.kind }
      if (answer.status >= 500 && ![503, 504].includes(answer.status))
        throw new Error(`${request.kind} was answered with ${answer.status} (seed ${seed})`)
    }
  }
  await Promise.all(Array.from({ length: together }, worker))
  return { statuses: Object.fromEntries([...statuses].sort(([a], [b]) => a - b)), widest }
}

/** Adds 60 companies with notes of 10,000 characters for each contact, and 900 more. */
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
