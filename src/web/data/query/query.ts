import type { TableName, TableRows } from '#web/data/server/tables.ts'

/** A moment relative to now, in seconds: `{ now: -604800 }` is 7 days ago. */
export interface FromNow {
  readonly now: number
}

/**
 * A bound of due dates, in one time zone. A task that is due at a time is compared with a moment: `now` (seconds from now) or `at` (ISO). A task
 * that is due on a day (`dueDay`) lies before the bound if its day is before `day`.
 */
export type DueBound = (FromNow | { readonly at: string }) & { readonly day: string }

type Value = string | number | boolean | null
export type Bound = string | number | FromNow | DueBound

/**
 * A condition on a column: a value, one of several values, within bounds, not empty (`not: null`), or a set that contains one of these
 * (`has`).
 */
export type Condition =
  | Value
  | readonly Value[]
  | { readonly gt?: Bound; readonly gte?: Bound; readonly lt?: Bound; readonly lte?: Bound; readonly not?: null }
  | { readonly has: readonly string[] }

/**
 * The rows of one table of the brand that a screen shows, as plain data. The device answers the query if the table is complete here. Else the
 * server (`read_queries`) answers it, with the same rows in the same order.
 */
export interface Query<Table extends TableName = TableName> {
  readonly table: Table
  /** All these conditions must hold. */
  readonly where?: { readonly [Column in keyof TableRows[Table] & string]?: Condition }
  /** A typed text. The table's definition says where it is searched for. */
  readonly search?: string
  /** The name of one of the table's orders. Default: 'newest'. */
  readonly order?: string
  /** Maximum number of rows. Without it, rows are fetched page by page as they are shown. */
  readonly limit?: number
  /** The server stops counting at this number, until the end of the list is shown or its exact number is needed. */
  readonly most?: number
  /** Requests the server's figures in a separate request, so that the first rows do not wait for them. */
  readonly figuresApart?: boolean
}

/** The `most` of a list: its first page is answered without counting all rows. */
export const countedAtFirst = 1000

/** Rows per page: more than a screen shows, and few enough that the six columns of a board load quickly. */
export const pageRows = 30

/** Returns a key for a query. Equal queries have equal keys. */
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

/** Returns the query of a key from `queryKey`. */
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

/** Returns the key of a query's index: rows that are kept sorted, whatever the search and the limit. */
export function indexKey({ table, where, order }: Query): string {
  return queryKey({ table, ...(where && { where }), ...(order && { order }) })
}

/** Whether the rows of the query can change with time alone. */
export function dependsOnTime({ where = {} }: Query): boolean {
  return JSON.stringify(where).includes('"now":')
}
