import type { TableName } from '#web/data/server/tables.ts'
import type { BrandData } from '#web/data/store/brand-data.ts'
import { isComplete } from '#web/data/store/brand-state.ts'
import { customOrder } from './custom-order.ts'
import type { Query } from './query.ts'
import { type Source, sourceOfObservable } from './view.ts'

/** Returns the tables that decide the answer to a query: the query's own table, and the tables that its search or its sort order reads. */
export function tablesOf({ definitions }: BrandData, { table, search, order = 'newest' }: Query): TableName[] {
  const { alsoSearched = [], orders } = definitions[table]
  const { dependsOn } = orders[order] ?? customOrder(order) ?? {}
  return [...new Set([table, ...(search ? alsoSearched : []), ...(dependsOn ? [dependsOn] : [])])]
}

/** Whether this device can answer a query without the server, because all tables that decide the answer are complete. */
export function isAnsweredHere(data: BrandData, query: Query): boolean {
  const state = data.state.get()
  return tablesOf(data, query).every((table) => isComplete(state, table))
}

/** Whether the rows that a list of this table shows have been read from the local database: its rows, and the rows that they refer to. */
export function isListRead(data: BrandData, table: TableName): boolean {
  return data.loaded.get() || data.listRead.get() === table
}

/**
 * Returns the sources of a view whose value depends on which rows of the brand have been read from the local database or pulled, or on the
 * first look.
 */
export function readingSources({ state, loaded, listRead, firstLook, firstPullEnded }: BrandData): Source[] {
  return [state, loaded, listRead, firstLook, firstPullEnded].map(sourceOfObservable)
}
