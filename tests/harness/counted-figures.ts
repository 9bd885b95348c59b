import type { TableName } from '#web/data/server/tables.ts'
import { type Figures, figuresOf } from '#web/data/query/figures-of.ts'
import type { Query } from '#web/data/query/query.ts'
import { type LoneTab, openLoneTab, putRows, untilIdle } from './lone-tab.ts'

/** A lone tab (a tab without a server) that subscribes to figures. `answered` waits until the prepared answers are applied; `stop` unsubscribes. */
export interface Counted extends LoneTab {
  read: () => Figures
  answered: () => Promise<void>
  stop: () => void
}

/** Opens a lone tab and subscribes to the figures of a query. `prepare`: puts rows into the tab, or sets the server's answers. */
export async function countFigures<Table extends TableName>(
  query: Query<Table>,
  prepare: (tab: LoneTab) => void | Promise<void> = () => {},
  windowed: TableName[] = [],
): Promise<Counted> {
  const tab = await openLoneTab({ windowed })
  await prepare(tab)
  const view = figuresOf(tab.data, query)
  const stopListening = view.subscribe(() => {})
  const answered = async () => {
    await untilIdle(20)
    tab.clock.advance(4)
    await untilIdle(60)
  }
  const stop = () => {
    stopListening()
    tab.clock.advance(0)
  }
  return { ...tab, read: view.read, answered, stop }
}

/** Returns the fields of a deal. */
export const figureDeal = (id: string, amount: number, amount_currency = 'GBP', stage_id = 'x') => ({
  id,
  amount,
  amount_currency,
  stage_id,
  name: `Nr ${id}`,
})
/** Puts four deals into a tab: three in stage x, in two currencies, and one in stage y. */
export const putFigureDeals = ({ data }: LoneTab) =>
  putRows(
    data,
    'deals',
    figureDeal('a', 0.1),
    figureDeal('b', 0.2),
    figureDeal('c', 5, 'EUR'),
    figureDeal('d', 7, 'GBP', 'y'),
  )
/** The deals of stage x. */
export const dealsInStageX: Query<'deals'> = { table: 'deals', where: { stage_id: 'x' } }
/** Returns a sum in pounds, in the form that figures have. */
export const sumInPounds = (amount: number) => [{ currency: 'GBP', amount }]
