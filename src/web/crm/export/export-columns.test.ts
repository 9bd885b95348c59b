import { expect, test } from 'vitest'
import { openLoneTab, putRows, serverRow } from '#tests/harness/lone-tab.ts'
import { exportColumns } from './export-columns.ts'

test('an export names the lost reason only of deals that are lost', async () => {
  const { data, device } = await openLoneTab()
  putRows(data, 'deal_stages', { id: 'won', name: 'Won', kind: 'won' }, { id: 'lost', name: 'Lost', kind: 'lost' })
  const column = exportColumns(device, 'deals').find(({ head }) => head === 'Lost reason')
  const page = { rows: [], nameOf: () => null, total: 1, isIncomplete: false, lacksNames: false }
  const cellOf = (stage_id: string) =>
    column?.cell(serverRow({ id: 'a', name: 'Roof', stage_id, lost_reason: 'Price' }), page)
  expect(cellOf('lost')).toBe('Price')
  expect(cellOf('won')).toBe('')
})
