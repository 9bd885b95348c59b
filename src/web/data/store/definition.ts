import type { AnyRow, TableName, TableRows } from '#web/data/server/tables.ts'
import type { Collection } from './collection.ts'
import type { Order } from './sorted-list.ts'

/** The rows of a brand in memory, by table. */
export interface BrandTables {
  readonly tables: { readonly [Table in TableName]: Collection<TableRows[Table]> }
}

/** The collection of a table, for code that is the same for all tables. Only rows of that table may be written to it. */
export function rowsOfTable(
  { tables }: BrandTables,
  table: TableName,
): Pick<Collection<AnyRow>, 'loaded' | 'onServer' | 'write' | 'read' | 'endReading'> {
  return tables[table]
}

/** How the queries of a table are answered on this device, as SQL answers them (`private.list_orders`, `list_searches`). */
export interface TableDefinition<Row extends AnyRow> {
  /** Whether a row is found by a folded word. Missing: the table cannot be searched. */
  matches?: (data: BrandTables, row: Row, word: string) => boolean
  /** Other tables that its search reads too. */
  alsoSearched?: readonly TableName[]
  /** The orders of its lists by name. */
  orders: Readonly<Record<string, RowOrder<Row>>>
  /** Columns that hold the id of a row of another table. */
  references?: { readonly [Column in keyof Row & string]?: TableName }
}

export interface RowOrder<Row> {
  compare: (data: BrandTables) => Order<Row>
  /** Another table whose rows influence the order. */
  dependsOn?: TableName
}

/** The definition of every table that is kept on a device. */
export type TableDefinitions = { readonly [Table in TableName]: TableDefinition<TableRows[Table]> }

/** The columns of a table that hold the id of another table's row, with that table. */
export function referencesOf(definitions: TableDefinitions, table: TableName): ReadonlyMap<string, TableName> {
  return new Map(Object.entries<TableName>(definitions[table].references ?? {}))
}
