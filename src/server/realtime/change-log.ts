import type { Pool } from 'pg'

/**
 * An entry of the change log, the table realtime.changes. All server processes read this table to learn what to send to their
 * sockets. An entry is an inserted, updated or deleted row (kind I, U or D), or a message to a topic (kind B for a broadcast, P
 * for a presence).
 */
export interface LogEntry {
  kind: 'I' | 'U' | 'D' | 'B' | 'P'
  /** The oid of the row's table. Null if the entry is a message. */
  relation: number | null
  /** The topic of the message. Null if the entry is a row. */
  topic: string | null
  /** The row or the message as JSON text. */
  record: string
  /** The time of the write (ISO 8601, UTC). */
  at: string
}

/** The position of a reader in the log. The snapshots in it are in PostgreSQL's text format (`pg_snapshot`). */
export interface LogCursor {
  /** The last snapshot that was read completely: the reader has every entry that is visible in it. */
  seen: string
  /**
   * Set while a read of several pages is not complete: the snapshot up to which the reader reads, and the number of the last
   * entry that was read. Null otherwise.
   */
  within: { snapshot: string; seq: string } | null
}

export interface LogPage {
  /** The position at which the next page starts. */
  cursor: LogCursor
  /** The entries of the page, at most `entriesPerPage`. */
  entries: LogEntry[]
}

/**
 * Maximum number of entries of a page. It limits the memory of a read, because one write may change ten thousand long rows.
 */
export const entriesPerPage = 250

/**
 * Selects the entries that have become visible since the reader's last snapshot. Each entry is selected once, as soon as it
 * is committed, even while other transactions (of this or another database of the cluster) stay open. The text of `record`
 * is built only for the entries of the page.
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
    order by l.seq limit ${entriesPerPage}) c on true
  order by c.seq`

/** Returns the cursor at the end of the log, for a reader that wants only entries that are added later. */
export async function readLogEnd(owner: Pool): Promise<LogCursor> {
  const { rows } = await owner.query<{ edge: string }>('select pg_current_snapshot()::text as edge')
  const edge = rows[0]?.edge
  if (edge === undefined) throw new Error('The database returned no snapshot')
  return { seen: edge, within: null }
}

/** Returns a page of the entries after `cursor`, in the order of the log, and the cursor of the next page. */
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
  const isFull = entries.length === entriesPerPage && seq !== null
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

/** Deletes entries that are older than two minutes. Every reader has read them long before. */
export async function pruneLog(owner: Pool): Promise<void> {
  await owner.query("delete from realtime.changes where at < now() - interval '2 minutes'")
}
