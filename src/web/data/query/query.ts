import type { TableName, TableRows } from '#web/data/server/tables.ts'

/** A moment relative to the current time, in seconds: `{ now: -604800 }` is 7 days ago. */
export interface FromNow {
  readonly now: number
}

/**
 * A bound for due dates: a moment, as `now` (seconds from the current time) or `at` (ISO), and `day`, the day of that moment in this device's
 * time zone. A task that is due at a time is compared with the moment. A task that is due on a day (`dueDay`) is compared with `day`: it is
 * before the bound if its day is earlier, and otherwise after it.
 */
export type DueBound = (FromNow | { readonly at: string }) & { readonly day: string }

type Value = string | number | boolean | null
/** The value with which a condition compares: a fixed value or a moment. */
export type Bound = string | number | FromNow | DueBound

/**
 * A condition on the value of a column. A value: the column has this value. A list: the column has one of these values. Bounds: the value is
 * within them. `not`: the column is not empty. `has`: the column holds a set that contains one of these values.
 */
export type Condition =
  | Value
  | readonly Value[]
  | { readonly gt?: Bound; readonly gte?: Bound; readonly lt?: Bound; readonly lte?: Bound; readonly not?: null }
  | { readonly has: readonly string[] }

/**
 * Describes the rows of one table of the brand that a screen shows, as plain data. If the table is complete on this device, the device
 * answers the query. Otherwise the server (`read_queries`) answers it with the same rows in the same order.
 */
export interface Query<Table extends TableName = TableName> {
  readonly table: Table
  /** The conditions by column. A row must meet all of them. */
  readonly where?: { readonly [Column in keyof TableRows[Table] & string]?: Condition }
  /** The text that a person typed to search. The table's definition says in which fields it is searched. */
  readonly search?: string
  /** The name of one of the table's orders. By default, the order is 'newest'. */
  readonly order?: string
  /** Maximum number of rows. Without it, the rows are fetched page by page when they are shown. */
  readonly limit?: number
  /** The server stops counting the rows at this number, until the end of the list is shown or the exact number is needed. */
  readonly most?: number
  /** True if the number of rows and the sums are fetched in a separate request, so that the first rows do not wait for them. */
  readonly figuresApart?: boolean
}

/** The value of `most` for a list. With it, the server answers the list's first page without counting all rows. */
export const firstCountLimit = 1000

/** Number of rows per page. It is more than a screen shows, but so few that a board of six columns loads quickly. */
export const pageRows = 30

/**
 * Returns a text that identifies a query. Queries with the same conditions, search, order and limit give equal texts: `most` and
 * `figuresApart` are left out.
 */
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

/** Returns the query from which `queryKey` made this text, without `most` and `figuresApart`. */
export function queryOfKey(key: string): Query {
  const [table, conditions, search, order, limit] = JSON.parse(key) as [
    TableName,
    [string, Condition][],
    string,
    string,
    number | null,
  ]
  return { table, where: Object.fromEntries(conditions), search, order, ...(limit !== null && { limit }) }
}

/** Returns the key of a query's index. An index keeps rows sorted. Queries that differ only in search or limit share an index. */
export function indexKey({ table, where, order }: Query): string {
  return queryKey({ table, ...(where && { where }), ...(order && { order }) })
}

/** Whether the rows of a query can change only because time passes, without a change of any row. */
export function dependsOnTime({ where = {} }: Query): boolean {
  return JSON.stringify(where).includes('"now":')
}
