import { syncedTables } from '#shared/synced-tables.ts'
import { isDone, type Answer } from './wire.ts'
import { levelOf, type Session, type World } from './world.ts'

/** One answer that a session got, and its source. */
export interface Reading {
  from: string
  /** The id of the requested brand; null if the session asked for everything. */
  slot: string | null
  answer: Answer
}

/** Functions that answer only about the caller. */
const personalFunctions = [
  'my_sessions',
  'brands_behind_second_factor',
  'export_my_data',
  'capabilities',
  'unopened_brands',
  'notification_settings',
]

const listedTables = syncedTables.filter((table) => table !== 'brands' && table !== 'memberships')

/** Functions that answer about a brand, with their further arguments. */
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

/** Everything that a session can read: each table, and each reading function for every id that ever was a brand's. */
export function readAll(world: World, session: Session): Promise<Reading[]> {
  const { wire, tables, functions } = world.site
  const { token } = session
  const reading = async (from: string, answer: Promise<Answer>, slot: string | null = null): Promise<Reading> => ({
    from,
    slot,
    answer: await answer,
  })
  const asked = [
    reading('the account', wire.auth('GET', '/user', { token })),
    ...tables.map((table) => reading(table, wire.rest('GET', `${table}?select=*`, { token }))),
    reading('memberships with their brands', wire.rest('GET', 'memberships?select=*,brands(*)', { token })),
    ...personalFunctions
      .filter((name) => functions.has(name))
      .map((name) => reading(name, wire.rpc(name, {}, { token }))),
    ...world.slots.flatMap(({ id, lives }) =>
      (lives.at(-1)?.notes ?? []).slice(0, 2).map(({ record }) => {
        const values = { p_brand_id: id, p_table: record.table, p_id: record.id }
        return reading('timeline', wire.rpc('timeline', values, { token }), id)
      }),
    ),
    ...world.slots
      .filter(({ lives }) => lives.length > 0)
      .flatMap(({ id }) =>
        Object.entries(brandFunctions).map(([name, values]) =>
          reading(name, wire.rpc(name, { p_brand_id: id, ...values }, { token }), id),
        ),
      ),
  ]
  return Promise.all(asked)
}

/**
 * One session of each group that sees the same, by account, level and state. Ended sessions are included and must see
 * nothing.
 */
export function readersOf({ sessions }: World): Session[] {
  const readers = new Map<string, Session>()
  for (const session of sessions) {
    const key = `${session.account.id} ${session.isAlive} ${levelOf(session)} ${session.isProved}`
    if (!readers.has(key)) readers.set(key, session)
  }
  return [...readers.values()]
}

/** Whether an answer contains nothing. */
export function isEmpty({ answer }: Reading): boolean {
  return !isDone(answer) || answer.text === '' || answer.text === '[]' || answer.text === 'null'
}
