import type pg from 'pg'
import { officialClient } from '../harness/client.ts'
import { recordsSql } from './bench-data.ts'
import { idPlaceholder, type PacedRequest } from './paced-order.ts'
import { requestText } from './run-load.ts'

/** Number of contacts and of deals of each brand. */
const rowsPerBrand = 500

/** Creates a brand for each of `memberCounts`, with this number of members. Returns the requests of each member, brand by brand. */
export async function fillBrands(
  url: string,
  publishableKey: string,
  owner: pg.Pool,
  memberCounts: readonly number[],
): Promise<PacedRequest[][]> {
  const requestsByMember: PacedRequest[][] = []
  for (const [brand, memberCount] of memberCounts.entries()) {
    const brandId = crypto.randomUUID()
    const members: Member[] = []
    // The server accepts only a few sign-ups per network at a time.
    for (let first = 0; first < memberCount; first += 5)
      members.push(
        ...(await Promise.all(
          Array.from({ length: Math.min(5, memberCount - first) }, (_, index) =>
            signUp(url, publishableKey, `user-${brand}-${first + index}-${Date.now()}@example.org`),
          ),
        )),
      )
    const [founder, ...others] = members
    const { error } =
      (await founder?.client.from('brands').insert({ id: brandId, name: `Brand ${brand}`, slug: '' })) ?? {}
    if (error) throw new Error(error.message)
    for (const { userId } of others)
      await owner.query(
        "insert into public.memberships (brand_id, user_id, role, opened_at) values ($1, $2, 'member', now())",
        [brandId, userId],
      )
    await owner.query(recordsSql(brandId, rowsPerBrand))
    const { rows: deals } = await owner.query<{ id: string }>(
      'select id from public.deals where brand_id = $1 limit 50',
      [brandId],
    )
    const { rows: stages } = await owner.query<{ id: string }>(
      'select id from public.deal_stages where brand_id = $1 order by position limit 4',
      [brandId],
    )
    for (const [index, { token }] of members.entries())
      requestsByMember.push(requestsOf({ key: publishableKey, token, brandId, deals: fiveOf(deals, index), stages }))
  }
  await owner.query('vacuum analyze')
  return requestsByMember
}

interface Member {
  client: ReturnType<typeof officialClient>
  userId: string
  token: string
}

async function signUp(url: string, publishableKey: string, email: string): Promise<Member> {
  const client = officialClient(url, publishableKey)
  const { data, error } = await client.auth.signUp({ email, password: 'correct horse' })
  if (error || !data.session) throw error ?? new Error('no session')
  return { client, userId: data.session.user.id, token: data.session.access_token }
}

interface MemberContext {
  key: string
  token: string
  brandId: string
  deals: { id: string }[]
  stages: { id: string }[]
}

/** Returns a usual mix of requests: six of ten read a list or the board, two pull changes, one moves a deal, one adds a task. */
function requestsOf({ key, token, brandId, deals, stages }: MemberContext): PacedRequest[] {
  const headers = { apikey: key, authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const rpcText = (name: string, args: object) =>
    requestText({
      method: 'POST',
      target: `rpc/${name}`,
      headers,
      body: JSON.stringify({ p_brand_id: brandId, ...args }),
    })
  const moves = deals.flatMap(({ id }) =>
    stages.map((stage) =>
      requestText({
        method: 'PATCH',
        target: `deals?id=eq.${id}&brand_id=eq.${brandId}&version=gte.0&select=*`,
        headers: { ...headers, prefer: 'return=representation' },
        body: JSON.stringify({ stage_id: stage.id }),
      }),
    ),
  )
  const task = { id: idPlaceholder, brand_id: brandId, title: 'Call back', priority: 'normal', status: 'open' }
  const contacts = { table: 'contacts', order: 'newest', limit: 30, count: true }
  return [
    { text: rpcText('read_queries', { p_queries: [contacts] }), weight: 4, addsRow: false },
    { text: rpcText('board', {}), weight: 2, addsRow: false },
    { text: rpcText('pull', { p_cursor: 'now' }), weight: 2, addsRow: false },
    ...moves.map((text) => ({ text, weight: 1 / moves.length, addsRow: false })),
    {
      text: requestText({ method: 'POST', target: 'tasks', headers, body: JSON.stringify(task) }),
      weight: 1,
      addsRow: true,
    },
  ]
}

/** Returns five deals for a member. The first ten members of a brand get different deals. */
function fiveOf<Row>(rows: readonly Row[], index: number): Row[] {
  const start = (index * 5) % Math.max(1, rows.length - 4)
  return rows.slice(start, start + 5)
}
