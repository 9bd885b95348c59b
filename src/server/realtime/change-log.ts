import type { Pool } from 'pg'

/** One line of the log. `record` is JSON text. */
export interface LogEntry {
  kind: 'I' | 'U' | 'D' | 'B' | 'P'
  relation: number | null
  topic: string | null
  record: string
  /** ISO time. */
  at: string
}

/** The position of a reader. Snapshots are text in PostgreSQL's format. */
export interface LogCursor {
  /** Everything visible in this snapshot has been read. */
  seen: string
  /** While one read spans several pages: the snapshot that bounds it, and the last line that was read. */
  within: { snapshot: string; seq: string } | null
}

export interface LogPage {
  /** The start of the next page. */
  cursor: LogCursor
  /** At most `linesPerPage`. */
  entries: LogEntry[]
}

/** Limits memory: one write may change ten thousand long rows. */
export const linesPerPage = 250

/**
 * The lines that have become visible since the reader's last snapshot: each line once, as soon as it is committed, even
 * while other transactions (of this or another database of the cluster) stay open. The records' text is built only for
 * the lines of the page.
 */
const readSql = `
  select once.edge, c.seq::text as seq, c.kind::text as kind, c.relation::int8::text as relation, c.topic,
    c.record::text as record, to_char(c.at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at
  from (select coalesce($2::text, pg_current_snapshot()::text) as edge) as once
  left join lateral (
    select l.seq, l.kind, l.relation, l.topic, l.record, l.at from realtime.changes l
    where l.xact >= pg_snapshot_xmin($1::text::pg_snapshot)
      and not pg_visible_in_snapshot(l.xact, $1::text::pg_snapshot)
      and pg_visible_in_snapshot(l.xact, once.edge::pg_snapshot)
      and l.seq > $3::int8
    order by l.seq limit ${linesPerPage}) c on true
  order by c.seq`

/** The cursor of a reader that wants only later changes. */
export async function readEdge(owner: Pool): Promise<LogCursor> {
  const { rows } = await owner.query<{ edge: string }>('select pg_current_snapshot()::text as edge')
  const edge = rows[0]?.edge
  if (edge === undefined) throw new Error('The database did not say where its log ends')
  return { seen: edge, within: null }
}

/** The lines written since `cursor`, in the order of the log. If a page is full, the next one continues after it. */
export async function readLog(owner: Pool, cursor: LogCursor): Promise<LogPage> {
  const { seen, within } = cursor
  const { rows } = await owner.query<
    { edge: string; seq: string | null; kind: LogEntry['kind'] | null } & Record<string, string>
  >({
    name: 'realtime_read',
    text: readSql,
    values: [seen, within?.snapshot ?? null, within?.seq ?? '0'],
  })
  const entries = rows.flatMap(({ kind, relation, topic, record = '', at = '' }) =>
    kind === null ? [] : [{ kind, relation: relation ? Number(relation) : null, topic: topic ?? null, record, at }],
  )
  const { edge = seen, seq = null } = rows.at(-1) ?? {}
  const isFull = entries.length === linesPerPage && seq !== null
  return { cursor: isFull ? { seen, within: { snapshot: edge, seq } } : { seen: edge, within: null }, entries }
}

/** Sends a message to a topic, for the sockets of all server processes. */
export async function appendToTopic(owner: Pool, kind: 'B' | 'P', topic: string, record: unknown): Promise<void> {
  await owner.query('insert into realtime.changes (kind, topic, record) values ($1, $2, $3)', [
    kind,
    topic,
    JSON.stringify(record),
  ])
}

/** Deletes lines that every reader has read long ago. */
export async function pruneLog(owner: Pool): Promise<void> {
  await owner.query("delete from realtime.changes where at < now() - interval '2 minutes'")
}
