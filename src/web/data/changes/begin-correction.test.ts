import { expect, test } from 'vitest'
import { acme, ana, openLoneTab } from '#tests/harness/lone-tab.ts'
import { addToQueue, updateQueue, queue } from '#web/data/store/queue.ts'
import type { Operation } from '#web/data/store/operation.ts'
import { testOperation } from '#web/data/store/test-operation.ts'
import { beginCorrection } from './begin-correction.ts'
import { clearCurrentCorrection, currentCorrection, identityOfNewRow } from './correction.ts'

async function deviceWithOperation(parts: Partial<Operation>) {
  const { device } = await openLoneTab()
  await addToQueue(device, testOperation({ userId: ana, brandId: acme, id: 'op', ...parts }))
  return device
}

test('beginCorrection prepares the form with the values of a refused contact, and returns the table of the form', async () => {
  const device = await deviceWithOperation({
    state: 'failed',
    kind: 'call',
    table: 'contacts',
    rowId: 'owen',
    values: {},
    preview: { id: 'owen', email: 'owen@davies.test' },
    call: { name: 'upsert_contact', args: { p_company_name: 'Slate' } },
  })
  expect(beginCorrection(device, 'op')).toBe('contacts')
  expect(currentCorrection(device).get()).toEqual({
    contacts: { brandId: acme, rowId: 'owen', row: { id: 'owen', email: 'owen@davies.test' }, companyName: 'Slate' },
  })
  clearCurrentCorrection(device)
  expect(currentCorrection(device).get()).toEqual({})
  expect(queue(device).get().operations).toHaveLength(1)
})

test('beginCorrection returns null and prepares no form for an operation that is gone, or that is not a refused new record', async () => {
  const device = await deviceWithOperation({ state: 'failed', kind: 'update' })
  expect(beginCorrection(device, 'op')).toBeNull()
  expect(beginCorrection(device, 'gone')).toBeNull()
  await updateQueue(device, ana, ['op'], [])
  expect(beginCorrection(device, 'op')).toBeNull()
  expect(currentCorrection(device).get()).toEqual({})
})

test('a corrected new record keeps the id of the refused one', () => {
  expect(identityOfNewRow('owen')).toEqual({ rowId: 'owen', corrects: true })
  const { rowId, corrects } = identityOfNewRow(undefined)
  expect(corrects).toBe(false)
  expect(rowId).toMatch(/^[0-9a-f-]{36}$/)
})
