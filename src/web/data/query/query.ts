import type { TableName, TableRows } from '#web/data/server/tables.ts'

/** A moment relative to now, in seconds: `{ now: -604800 }` is 7 days ago. */
export interface FromNow {
  readonly now: number
}

/**
 * A bound of due moments (`now`: relative to now; or `at`: ISO) for people on one side of the globe: what is due on a day
 * (`dueDay`) lies before it if that day is before `day`.
 */
export type DueBound = (FromNow | { readonly at: string }) & { readonly day: string }

type Value = string | number | boolean | null
export type Bound = string | number | FromNow | DueBound

/** What a column has to be: a value, one of several, within bounds, (`not: null`) filled, or a set that `has` one of these. */
export type Condition =
  | Value
  | readonly Value[]
  | { readonly gt?: Bound; readonly gte?: Bound; readonly lt?: Bound; readonly lte?: Bound; readonly not?: null }
  | { readonly has: readonly string[] }

/**
 * What a screen shows of one table of the brand, as plain data: the device answers it where the table is complete here, else the
 * server (`read_queries`) does, with the same rows in the same order.
 */
export interface Query<Table extends TableName = TableName> {
  readonly table: Table
  /** All of these hold. */
  readonly where?: { readonly [Column in keyof TableRows[Table] & string]?: Condition }
  /** A typed text, as the table's definition looks for it. */
  readonly search?: string
  /** A name of the table's orders; default 'newest'. */
  readonly order?: string
  /** The first so many rows only; without it the rows come page by page as they are looked at. */
  readonly limit?: number
  /** The server counts no further than this until the end of the list, or its exact number, is wanted. */
  readonly most?: number
  /** The server is asked for its figures in a request of their own, so that the first rows need not wait for them. */
  readonly figuresApart?: boolean
}

/** `most` of a list: its first page comes without counting all. */
export const countedAtFirst = 1000

/** Rows of one page: more than a screen shows, and few enough that the six columns of a board come quickly. */
export const pageRows = 30

/** Tells queries apart: equal queries have equal keys. */
export function queryKey({
  table,
  where = {},
  search = '',
  order = 'newest',
  limit,
}: Omit<Query, 'where'> & { readonly where?: object }): string {
  const conditions = Object.entries(where).sort(([a], [b]) => (a < b ? -1 : 1))
  return JSON.stringify([table, conditions, search, order, limit ?? null])
}

/** The query of a key. */
export function readQueryKey(key: string): Query {
  const [table, conditions, search, order, limit] = JSON.parse(key) as [
    TableName,
    [string, Condition][],
    string,
    string,
    number | null,
  ]
  return { table, where: Object.fromEntries(conditions), search, order, ...(limit !== null && { limit }) }
}

/** A query without what only narrows it on the way to the screen: rows of it are kept in order. */
export function indexKey({ table, where, order }: Query): string {
  return queryKey({ table, ...(where && { where }), ...(order && { order }) })
}

/** Whether time alone changes which rows the query has. */
export function hangsOnTime({ where = {} }: Query): boolean {
  return JSON.stringify(where).includes('"now":')
}
