import { isDone, type Answer } from './wire.ts'
import { levelOf, type Session, type World } from './world.ts'

/** One answer that a session got, and where from. */
export interface Reading {
  from: string
  /** The brand's id that was asked for; null where the session asked for everything. */
  slot: string | null
  answer: Answer
}

/** Functions that answer about the caller alone. */
const personalFunctions = [
  'my_sessions',
  'brands_behind_second_factor',
  'export_my_data',
  'capabilities',
  'unopened_brands',
]

/** Functions that answer about a brand, and what they are asked besides. */
const brandFunctions: Record<string, Record<string, unknown>> = {
  pull: {},
  audit_log: { p_limit: 200 },
  list_brand_members: {},
  board: {},
  dashboard: {},
  search_contacts: { p_query: 'q' },
  search_companies: { p_query: 'q' },
  search_deals: { p_query: 'q' },
}

/** Everything that a session can reach: each table whole, and each function that reads, for every id that ever was a brand's. */
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

/** Of sessions that see the same, one each: by account, level and what is alive. Ended ones see nothing, and are asked too. */
export function readersOf({ sessions }: World): Session[] {
  const readers = new Map<string, Session>()
  for (const session of sessions) {
    const key = `${session.account.id} ${session.isAlive} ${levelOf(session)} ${session.isProved}`
    if (!readers.has(key)) readers.set(key, session)
  }
  return [...readers.values()]
}

/** Whether an answer holds anything at all. */
export function isEmpty({ answer }: Reading): boolean {
  return !isDone(answer) || answer.text === '' || answer.text === '[]' || answer.text === 'null'
}
