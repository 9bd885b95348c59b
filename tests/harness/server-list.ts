import { expect } from 'vitest'
import type { AnyRow } from '#web/data/server/tables.ts'
import type { Query } from '#web/data/query/query.ts'
import { ServerRows } from '#web/data/query/server-rows.ts'
import { answerOf, respondWith, sentQueries } from './answered-queries.ts'
import { type LoneTab, openLoneTab, serverRow, untilIdle } from './lone-tab.ts'

/** Returns the id of the row with an index. */
export const idOf = (index: number) => `row ${String(index).padStart(3, '0')}`
/** Returns rows as the server sends them. */
export const rowsFrom = (count: number) => Array.from({ length: count }, (_, index) => serverRow({ id: idOf(index) }))

/** An open list of a windowed table, with its tab. */
export interface List extends LoneTab {
  list: ServerRows
  /** The rows on the server. */
  rows: AnyRow[]
  /** Returns how often the list has notified its subscriber. */
  notifiedTimes: () => number
  stop: () => void
  /** Waits until the list has sent its queries and applied the responses. */
  answered: () => Promise<void>
}

/** Opens a list of deals, which are windowed, in a new tab. The server has `count` rows. `prepare`: runs before the list is opened. */
export async function openList(
  count: number,
  query: Partial<Query> = {},
  prepare: (tab: LoneTab) => void = () => {},
): Promise<List> {
  const tab = await openLoneTab({ windowed: ['deals'] })
  prepare(tab)
  const rows: AnyRow[] = rowsFrom(count)
  respondWith(tab.network, (question) => answerOf(rows, question))
  let [notifiedTimes, endCount] = [0, 0]
  const list = new ServerRows(tab.data, { table: 'deals', ...query }, () => (endCount += 1))
  const stopListening = list.subscribe(() => (notifiedTimes += 1))
  const stop = () => {
    stopListening()
    tab.clock.advance(0)
    expect(endCount).toBe(1)
  }
  const answered = async () => {
    await untilIdle(20)
    tab.clock.advance(4)
    await untilIdle(60)
  }
  await answered()
  return { ...tab, list, rows, notifiedTimes: () => notifiedTimes, stop, answered }
}

/** Returns the indexes of the listed rows, with '-' for a row that was not fetched. */
export const shownIds = (list: ServerRows) => list.ids.map((id) => (id === null ? '-' : Number(id.slice(4)))).join(' ')
/** Returns the indexes from `first` to `last`, as `shownIds` writes them. */
export const indexesAsText = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index).join(' ')
/** Returns the first query of the last request that the tab has sent. */
export const lastQuery = ({ network }: LoneTab) => sentQueries(network).at(-1)?.[0]
