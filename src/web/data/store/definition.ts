import type { AnyRow, TableName, TableRows } from '#web/data/server/tables.ts'
import type { Collection } from './collection.ts'
import type { Order } from './sorted-list.ts'

/** The rows of a brand in memory, by table. */
export interface BrandTables {
  readonly tables: { readonly [Table in TableName]: Collection<TableRows[Table]> }
}

/** Returns the collection of a table, for code that treats all tables alike. Only rows of this table may be written to it. */
export function collectionOf(
  { tables }: BrandTables,
  table: TableName,
): Pick<Collection<AnyRow>, 'isReady' | 'serverRow' | 'write' | 'add' | 'endReading'> {
  return tables[table]
}

/** How this device searches and sorts a table. It does so in the same way as SQL (`private.list_orders`, `list_searches`). */
export interface TableDefinition<Row extends AnyRow> {
  /** Whether a row contains `word`, which is in lower case and without accents. Without this function, the table cannot be searched. */
  matches?: (data: BrandTables, row: Row, word: string) => boolean
  /** The other tables in which `matches` also looks. */
  alsoSearched?: readonly TableName[]
  /** The orders in which lists of this table can be sorted, by name. */
  orders: Readonly<Record<string, RowOrder<Row>>>
  /**
   * The columns that hold the id of a linked record, each with the table of that record. If the record is deleted, the server clears the column,
   * or deletes the row (`deal_contacts`).
   */
  references?: { readonly [Column in keyof Row & string]?: TableName }
}

/** An order of rows. `compare` makes the function that compares two rows. */
export interface RowOrder<Row> {
  compare: (data: BrandTables) => Order<Row>
  /** Another table whose rows influence this order. */
  dependsOn?: TableName
}

/** The definitions of all tables that a device stores. */
export type TableDefinitions = { readonly [Table in TableName]: TableDefinition<TableRows[Table]> }

/** Returns the columns of a table that link its rows to other records (`references` of its definition), each with the table of those records. */
export function referencesOf(definitions: TableDefinitions, table: TableName): ReadonlyMap<string, TableName> {
  return new Map(Object.entries<TableName>(definitions[table].references ?? {}))
}
