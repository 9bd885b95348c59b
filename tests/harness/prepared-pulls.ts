import { newBrandState } from '#web/data/store/brand-state.ts'
import { type AnyRow, type TableName, tableNames } from '#web/data/server/tables.ts'
import type { PullAnswer } from '#web/data/sync/pull-answer.ts'
import { acme, type LoneTab, openLoneTab, serverRow } from './lone-tab.ts'
import type { PreparedResponse } from './prepared-network.ts'

/** The `line` of a request that pulls. */
export const pullLine = 'POST /rest/v1/rpc/pull'

/** The arguments of a pull. */
export interface PullArguments {
  p_brand_id: string
  p_cursor: string | null
  p_tables: string[]
  p_limit: number
}

/** Returns the arguments of all pulls of a tab. */
export const sentPulls = ({ network }: LoneTab) => network.of(pullLine).map(({ body }) => body as PullArguments)
/** Returns the cursors of all pulls of a tab. */
export const sentCursors = (tab: LoneTab) => sentPulls(tab).map(({ p_cursor }) => p_cursor)

/** Returns a response to a pull. Default: no changes. */
export const pullResponse = (parts: Partial<PullAnswer> = {}): PreparedResponse => ({
  body: { epoch: 'e', cursor: '1', full: false, complete: true, rows: {}, tombstones: [], ...parts },
})

/**
 * Responds to pulls like a server with these rows, which never change: a pull from the beginning gets all rows, page by page; a pull since
 * cursor '7' gets none; a pull with the cursor 'now' gets only numbers of rows: the number of deals in `rows`, and `counts` (by table).
 * `onRead`: called when the server has read the rows of a pull, before this device gets them.
 */
export function servePulls(
  { network }: LoneTab,
  rows: Partial<Record<TableName, AnyRow[]>>,
  counts: Record<string, number> = {},
  onRead: (pull: PullArguments) => void = () => {},
): void {
  network.on(pullLine, ({ body }) => {
    const pull = body as PullArguments
    const { p_cursor, p_tables, p_limit } = pull
    onRead(pull)
    if (p_cursor === 'now') return pullResponse({ cursor: '7', counts: { deals: rows.deals?.length ?? 0, ...counts } })
    if (p_cursor === '7') return pullResponse({ cursor: '7' })
    const allRows = tableNames
      .filter((table) => p_tables.includes(table))
      .flatMap((table) => (rows[table] ?? []).map((row) => ({ table, row })))
    const start = p_cursor === null ? 0 : Number(p_cursor.slice(5))
    const page = allRows.slice(start, start + p_limit)
    const pageRows: Record<string, AnyRow[]> = {}
    for (const { table, row } of page) (pageRows[table] ??= []).push(row)
    return pullResponse({
      cursor: `page ${start + p_limit}`,
      full: true,
      complete: start + p_limit >= allRows.length,
      rows: pageRows,
    })
  })
}

/** Opens a tab that has never pulled the brand. */
export async function openUnpulledTab(): Promise<LoneTab> {
  const tab = await openLoneTab()
  tab.data.state.set(newBrandState(acme))
  return tab
}

/** Opens a tab that has pulled the brand. Its cursor is '1'. */
export async function openPulledTab(windowed: TableName[] = []): Promise<LoneTab> {
  const tab = await openLoneTab({ windowed })
  tab.data.state.set({ ...tab.data.state.get(), counts: { deals: 5 } })
  return tab
}

/** Returns the ids of the rows that screens show. */
export const shown = ({ data }: LoneTab, table: TableName = 'deals') =>
  [...data.tables[table].values()].map(({ id }) => id)
/** Returns rows as the server sends them. */
export const manyRows = (count: number, name = 'row') =>
  Array.from({ length: count }, (_, index) => serverRow({ id: `${name} ${index}` }))
