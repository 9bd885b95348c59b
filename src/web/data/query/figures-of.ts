import type { TableName, TableRows } from '#web/data/server/tables.ts'
import type { BrandData } from '#web/data/store/brand-data.ts'
import type { Money } from '#web/lib/money.ts'
import { firstLookRows } from './first-rows.ts'
import { isAnsweredHere, tablesOf, readingSources } from './is-answered-here.ts'
import { localRows, candidateRows } from './local-rows.ts'
import { searchMatcher, whereMatcher } from './match.ts'
import { dependsOnTime, type Query } from './query.ts'
import { ServerFigures } from './server-figures.ts'
import { addAmount, rowCountOf, moneyOf, type Sums } from './sums.ts'
import { serverSources } from './server-source.ts'
import { minuteSource, type Source, type View, view } from './view.ts'

/** The number of rows of a query and, for deals, the sums of their amounts. */
export interface Figures {
  /**
   * False while the stored rows are read, unless a first look has the figures. For a windowed table, also until the server has answered or
   * the first pull has ended.
   */
  ready: boolean
  count: number
  /** The sums of the amounts by currency, pounds first. */
  sums: readonly Money[]
  /** True while the server's first answer is awaited. Until it comes, the figures count only the rows on this device. */
  counting: boolean
}

const noFigures: Figures = { ready: false, count: 0, sums: [], counting: false }

const serverFiguresOf = serverSources(ServerFigures)

/**
 * Creates a view of the figures of a query. If the table is complete, this device computes them. Otherwise the server computes them, and this
 * device adds the effect of the changes that it has made since the server computed them. The server is queried only while the view has a
 * subscriber.
 */
export function figuresOf<Table extends TableName>(data: BrandData, query: Query<Table>): View<Figures> {
  const server = serverFiguresOf(data, query)
  const sources: Source[] = [
    ...tablesOf(data, query).map((table) => data.tables[table]),
    ...readingSources(data),
    server,
    ...(dependsOnTime(query) ? [minuteSource] : []),
  ]
  return view<Figures>(sources, (previous) => {
    // While the rows are read from the local database, they arrive in slices. Figures of only some rows would be wrong.
    const firstLook = firstLookRows(data, query)
    const figures =
      data.loaded.get() || server.answer || firstLook ? computeFigures(data, query, server, firstLook) : noFigures
    return previous && JSON.stringify(previous) === JSON.stringify(figures) ? previous : figures
  })
}

function computeFigures<Table extends TableName>(
  data: BrandData,
  query: Query<Table>,
  server: ServerFigures,
  firstLook: ReturnType<typeof firstLookRows>,
): Figures {
  const meetsConditions = whereMatcher(query)
  const matches = searchMatcher(data, query)
  const sums: Sums = new Map()
  const add = (row: TableRows[Table], sign: 1 | -1) => {
    if (meetsConditions(row) && (!matches || matches(row))) addRow(sums, row, sign)
  }
  const isHere = isAnsweredHere(data, query)
  const answer = firstLook ?? (isHere ? null : server.answer)
  if (answer) {
    for (const { currency, count: rows, amount } of answer.sums) addAmount(sums, currency, amount, 1, rows)
    for (const [id, before] of firstLook?.changed ?? server.changedHere) {
      const after = data.tables[query.table].get(id)
      if (before) add(before as TableRows[Table], -1)
      if (after) add(after, 1)
    }
  } else if (matches && query.limit === undefined && !dependsOnTime(query)) {
    // The list that is shown with these figures runs the same search, and `localRows` keeps its result.
    for (const row of localRows(data, query)) addRow(sums, row, 1)
  } else {
    for (const row of candidateRows(data, query)) add(row, 1)
  }
  const ready = firstLook !== null || (data.loaded.get() && (isHere || answer !== null || data.firstPullEnded.get()))
  const counting = !answer && !isHere && server.isAsking
  return { ready, count: Math.max(0, rowCountOf(sums)), sums: query.table === 'deals' ? moneyOf(sums) : [], counting }
}

function addRow(sums: Sums, row: TableRows[TableName], times: 1 | -1): void {
  if ('amount_currency' in row) addAmount(sums, row.amount_currency, row.amount, times)
  else addAmount(sums, '', 0, times)
}
