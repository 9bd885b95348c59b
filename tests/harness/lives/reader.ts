import { syncedTables } from '#shared/synced-tables.ts'
import { isSuccess, type ReceivedResponse } from './api-client.ts'
import { formerNamesReading, levelOf, type Session, type World } from './world.ts'

/** A response that a session received, and its source. */
export interface Reading {
  from: string
  /** The id of the requested brand; null if the session asked for everything. */
  brandId: string | null
  response: ReceivedResponse
}

/** Functions whose response is only about the caller. */
const personalFunctions = [
  'my_sessions',
  'brands_behind_second_factor',
  'export_my_data',
  'capabilities',
  'unopened_brands',
  'notification_settings',
]

const listedTables = syncedTables.filter((table) => table !== 'brands' && table !== 'memberships')

/** Functions whose response is about a brand, with their arguments beside the brand's id. */
const brandFunctions: Record<string, Record<string, unknown>> = {
  pull: {},
  audit_log: { p_limit: 200 },
  list_brand_members: {},
  board: {},
  dashboard: {},
  tag_counts: {},
  search_contacts: { p_query: 'q' },
  search_companies: { p_query: 'q' },
  search_deals: { p_query: 'q' },
  search_notes: { p_query: { table: 'contacts', search: 'q' } },
  read_queries: {
    p_queries: listedTables.map((table) => ({
      table,
      order: table === 'deal_stages' || table === 'pipelines' ? 'position' : 'newest',
      count: true,
    })),
  },
}

/** Reads everything that a session can read: each table, and each reading function with the id of every brand, also of deleted ones. */
export async function readAll(world: World, session: Session): Promise<Reading[]> {
  const { api, tables, functions } = world.site
  const { token } = session
  const toReading = async (
    from: string,
    response: Promise<ReceivedResponse>,
    brandId: string | null = null,
  ): Promise<Reading> => ({
    from,
    brandId,
    response: await response,
  })
  const readings = [
    toReading('the account', api.auth('GET', '/user', { token })),
    ...tables.map((table) => toReading(table, api.rest('GET', `${table}?select=*`, { token }))),
    toReading('memberships with their brands', api.rest('GET', 'memberships?select=*,brands(*)', { token })),
    ...personalFunctions
      .filter((name) => functions.has(name))
      .map((name) => toReading(name, api.rpc(name, {}, { token }))),
    ...world.slots.flatMap(({ id, brands }) =>
      (brands.at(-1)?.notes ?? []).slice(0, 2).map(({ record }) => {
        const values = { p_brand_id: id, p_table: record.table, p_id: record.id }
        return toReading('timeline', api.rpc('timeline', values, { token }), id)
      }),
    ),
    ...world.slots
      .filter(({ brands }) => brands.length > 0)
      .map(({ id }) => {
        const values = { p_brand_id: id, p_user_ids: world.accounts.map((account) => account.id) }
        return toReading('former_members', api.rpc('former_members', values, { token }), id)
      }),
    ...world.slots
      .filter(({ brands }) => brands.length > 0)
      .flatMap(({ id }) =>
        Object.entries(brandFunctions).map(([name, values]) =>
          toReading(name, api.rpc(name, { p_brand_id: id, ...values }, { token }), id),
        ),
      ),
  ]
  return (await Promise.all(readings)).flatMap(withFormerNamesApart)
}

/**
 * Splits an export into two readings, because its former memberships have their own rule: they may contain a person's own names in brands that the
 * person has left. Returns other readings unchanged.
 */
function withFormerNamesApart(reading: Reading): Reading[] {
  const { from, response } = reading
  if (from !== 'export_my_data' || !isSuccess(response)) return [reading]
  const { former_memberships: formerMemberships, ...otherParts } = response.body as unknown as Record<string, unknown>
  const partOf = (part: string, body: unknown) => ({
    ...reading,
    from: part,
    response: { ...response, text: JSON.stringify(body) },
  })
  return [partOf(from, otherParts), partOf(formerNamesReading, formerMemberships ?? [])]
}

/**
 * Returns one session of each group with the same account, level and state, because the sessions of a group may read the same. Ended sessions are
 * included, and must read nothing.
 */
export function readersOf({ sessions }: World): Session[] {
  const readers = new Map<string, Session>()
  for (const session of sessions) {
    const key = `${session.account.id} ${session.isAlive} ${levelOf(session)} ${session.isProved}`
    if (!readers.has(key)) readers.set(key, session)
  }
  return [...readers.values()]
}

/** True if the request failed or the response contains nothing. */
export function isEmpty({ response }: Reading): boolean {
  return !isSuccess(response) || response.text === '' || response.text === '[]' || response.text === 'null'
}
