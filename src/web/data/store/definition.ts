import type { AnyRow, TableName, TableRows } from '#web/data/server/tables.ts'
import type { Collection } from './collection.ts'
import type { Order } from './sorted-list.ts'

/** The rows of a brand in memory, by table. */
export interface BrandTables {
  readonly tables: { readonly [Table in TableName]: Collection<TableRows[Table]> }
}

/** Returns the collection of a table, for code that treats all tables alike. Only rows of that table may be written to it. */
export function rowsOfTable(
  { tables }: BrandTables,
  table: TableName,
): Pick<Collection<AnyRow>, 'loaded' | 'onServer' | 'write' | 'read' | 'endReading'> {
  return tables[table]
}

/** How this device answers the queries of a table, in the same way as SQL (`private.list_orders`, `list_searches`). */
export interface TableDefinition<Row extends AnyRow> {
  /** Whether a row contains a folded word. If it is missing, the table cannot be searched. */
  matches?: (data: BrandTables, row: Row, word: string) => boolean
  /** Other tables that its search also reads. */
  alsoSearched?: readonly TableName[]
  /** The orders of its lists, by name. */
  orders: Readonly<Record<string, RowOrder<Row>>>
  /** Columns that hold the id of a row of another table. */
  references?: { readonly [Column in keyof Row & string]?: TableName }
}

export interface RowOrder<Row> {
  compare: (data: BrandTables) => Order<Row>
  /** Another table whose rows influence the order. */
  dependsOn?: TableName
}

/** The definitions of all tables that a device stores. */
export type TableDefinitions = { readonly [Table in TableName]: TableDefinition<TableRows[Table]> }

/** Returns the columns that hold the id of another table's row, with that table. */
export function referencesOf(definitions: TableDefinitions, table: TableName): ReadonlyMap<string, TableName> {
  return new Map(Object.entries<TableName>(definitions[table].references ?? {}))
}
