import type { TableName, TableRows } from '#web/data/server/tables.ts'
import type { BrandData } from '#web/data/store/brand-data.ts'
import type { Money } from '#web/lib/money.ts'
import { noList } from './record-list.ts'
import { type Figures, figuresOf } from './figures-of.ts'
import { type Query, queryKey, queryOfKey } from './query.ts'
import { type Rows, rowsOf } from './rows-of.ts'
import { useView } from './use-view.ts'

const noFigures: Figures = { ready: false, count: 0, sums: [], counting: false }

/** Returns the rows of a query. Call `want` of the result in an effect, with the indexes of the visible rows. */
export function useRows<Table extends TableName>(query: Query<Table>): Rows<TableRows[Table]> {
  return useView(rowsOfKey, queryKey(query), noList) as Rows<TableRows[Table]>
}

/** Returns the number of rows of a query. Null while it is not known. */
export function useCount<Table extends TableName>(query: Query<Table>): number | null {
  const { ready, count } = useView(figuresOfKey, queryKey(query), noFigures)
  return ready ? count : null
}

/** Returns the sums of the amounts of a query's deals, by currency. Null while they are not known. */
export function useSum(query: Query<'deals'>): readonly Money[] | null {
  const { ready, sums } = useView(figuresOfKey, queryKey(query), noFigures)
  return ready ? sums : null
}

function rowsOfKey(data: BrandData, key: string) {
  return rowsOf(data, queryOfKey(key))
}

function figuresOfKey(data: BrandData, key: string) {
  return figuresOf(data, queryOfKey(key))
}
