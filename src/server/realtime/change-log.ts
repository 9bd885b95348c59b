import type { Pool } from 'pg'

/** One line of the log. `record` is JSON text. */
export interface LogEntry {
  kind: 'I' | 'U' | 'D' | 'B' | 'P'
  relation: number | null
  topic: string | null
  record: string
  /** ISO. */
  at: string
}

export interface LogPage {
  /** Where the next page begins: a snapshot, as PostgreSQL writes it. */
  cursor: string
  entries: LogEntry[]
}

/**
 * What has become visible since the reader's last snapshot: each line once, as soon as it is committed, however long other
 * transactions (of this or of another database of the cluster) stay open.
 */
const READ = `
  select pg_current_snapshot()::text as edge, c.kind::text as kind, c.relation::int8::text as relation, c.topic,
    c.record::text as record, to_char(c.at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at
  from (select 1) as once
  left join realtime.changes c on c.xact >= pg_snapshot_xmin($1::text::pg_snapshot)
    and not pg_visible_in_snapshot(c.xact, $1::text::pg_snapshot)
  order by c.seq`

/** Where a reader that wants only what is to come begins. */
export async function readEdge(owner: Pool): Promise<string> {
  const { rows } = await owner.query<{ edge: string }>('select pg_current_snapshot()::text as edge')
  const edge = rows[0]?.edge
  if (edge === undefined) throw new Error('The database did not say where its log ends')
  return edge
}

/** What was written since `cursor`, in the order of the log. */
export async function readLog(owner: Pool, cursor: string): Promise<LogPage> {
  const { rows } = await owner.query<{ edge: string; kind: LogEntry['kind'] | null } & Record<string, string>>({
    name: 'realtime_read',
    text: READ,
    values: [cursor],
  })
  const entries = rows.flatMap(({ kind, relation, topic, record = '', at = '' }) =>
    kind === null ? [] : [{ kind, relation: relation ? Number(relation) : null, topic: topic ?? null, record, at }],
  )
  return { cursor: rows[0]?.edge ?? cursor, entries }
}

/** Says something in a topic to the sockets of every server process. */
export async function appendToTopic(owner: Pool, kind: 'B' | 'P', topic: string, record: unknown): Promise<void> {
  await owner.query('insert into realtime.changes (kind, topic, record) values ($1, $2, $3)', [
    kind,
    topic,
    JSON.stringify(record),
  ])
}

/** Forgets what every reader has long read. */
export async function pruneLog(owner: Pool): Promise<void> {
  await owner.query("delete from realtime.changes where at < now() - interval '2 minutes'")
}
