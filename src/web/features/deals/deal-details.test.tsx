// @vitest-environment happy-dom
import { act } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { openLoneTab, putRows } from '#tests/harness/lone-tab.ts'
import { reactRoot, renderInPage } from '#tests/harness/react-root.ts'
import { exportColumns } from '#web/crm/export/export-columns.ts'
import { DeviceContext } from '#web/data/browser/device.ts'
import { cardOf } from '#web/data/deal-cards.ts'
import { reachable } from '#web/data/server/network.ts'
import { queue } from '#web/data/store/queue.ts'
import { DealDetails } from './deal-details.tsx'

renderInPage()
afterEach(() => {
  vi.unstubAllEnvs()
})

/** Opens a tab that is offline, with the deal 'Roof', which was won at a moment. */
async function openWonDeal() {
  const { data, device } = await openLoneTab()
  reachable(device).set(false)
  putRows(data, 'pipelines', { id: 'sales', name: 'Sales', position: 1, lost_reasons: [] })
  putRows(data, 'deal_stages', { id: 'won', name: 'Won', kind: 'won', pipeline_id: 'sales', position: 1 })
  const closed_at = '2019-11-22T11:30:00.123456+00:00'
  const links = { contact_id: null, company_id: null, owner_id: null }
  const amount = { amount: 1, amount_currency: 'GBP' }
  putRows(data, 'deals', { id: 'roof', name: 'Roof', stage_id: 'won', closed_at, ...amount, ...links })
  const readDeal = () => {
    const deal = data.tables.deals.get('roof')
    if (!deal) throw new Error('no deal')
    return deal
  }
  const wonOn = () => document.querySelector<HTMLButtonElement>('button[aria-label^="Won on"]')
  /** Reads the closing day in a time zone: in the panel, and in an export. */
  const readIn = (zone: string) => {
    vi.stubEnv('TZ', zone)
    const details = <DealDetails key={zone} card={cardOf(data, readDeal())} />
    act(() => reactRoot.render(<DeviceContext value={device}>{details}</DeviceContext>))
    const column = exportColumns(device, 'deals').find(({ head }) => head === 'Closed')
    const page = { rows: [], nameOf: () => null, total: 1, isIncomplete: false, lacksNames: false }
    return [wonOn()?.textContent, column?.cell(readDeal(), page)]
  }
  const typeDay = async (text: string) => {
    act(() => wonOn()?.click())
    const field = document.querySelector('input[aria-label="Won on"]')
    if (!field) throw new Error('no field')
    act(() => {
      Reflect.set(HTMLInputElement.prototype, 'value', text, field)
      field.dispatchEvent(new Event('input', { bubbles: true }))
    })
    await act(async () => field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true })))
  }
  return { device, readIn, typeDay }
}

test('a typed closing day is the same day for everybody: in Auckland, St. John’s, Honolulu and Berlin, and in an export', async () => {
  const { device, readIn, typeDay } = await openWonDeal()
  readIn('Pacific/Auckland')
  await typeDay('20 Nov 2019')
  expect(queue(device).get().operations).toMatchObject([{ values: { closed_at: '2019-11-20T10:59:59.999Z' } }])
  for (const zone of ['Pacific/Auckland', 'America/St_Johns', 'Pacific/Honolulu', 'Europe/Berlin'])
    expect(readIn(zone)).toEqual(['20 Nov 2019', '2019-11-20'])
})

test('the moment at which a deal was moved to a won stage is shown in the time zone of the reader', async () => {
  const { readIn } = await openWonDeal()
  expect(readIn('Pacific/Auckland')).toEqual(['23 Nov 2019', '2019-11-23 00:30'])
  expect(readIn('America/St_Johns')).toEqual(['22 Nov 2019', '2019-11-22 08:00'])
})
