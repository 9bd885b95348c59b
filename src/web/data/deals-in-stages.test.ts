import { expect, test } from 'vitest'
import { respondWith } from '#tests/harness/answered-queries.ts'
import { putFigureDeals } from '#tests/harness/counted-figures.ts'
import { openLoneTab, putRows, untilIdle } from '#tests/harness/lone-tab.ts'
import { dashboardView } from './dashboard.ts'
import { dealsInStages } from './deals-in-stages.ts'

test('while the server counts the deals of a windowed table, neither the deals of a stage nor the figures of the overview are known', async () => {
  const tab = await openLoneTab({ windowed: ['deals'] })
  respondWith(tab.network, () => ({ sums: [{ currency: 'GBP', count: 40, amount: 100 }] }))
  putRows(tab.data, 'deal_stages', { id: 'x', kind: 'open', position: 1 })
  putFigureDeals(tab)
  const [deals, dashboard] = [dealsInStages(tab.data, 'x'), dashboardView(tab.data)]
  const stops = [deals, dashboard].map((view) => view.subscribe(() => {}))
  const known = () => [deals.read(), dashboard.read().ready, dashboard.read().figures?.activeDeals]
  expect(known()).toEqual([null, false, undefined])
  await untilIdle(20)
  tab.clock.advance(4)
  await untilIdle(60)
  expect(known()).toEqual([40, true, 40])
  for (const stop of stops) stop()
})
