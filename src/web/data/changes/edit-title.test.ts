import { expect, test } from 'vitest'
import { openLoneTab, putRows, serverRow } from '#tests/harness/lone-tab.ts'
import { editTitle } from './edit-title.ts'

const roof = serverRow({ id: 'd', name: 'Roof' })
const owen = serverRow({ id: 'c', first_name: 'Owen', email: null })

test('the title of an edit names its field and its records', async () => {
  const { device, data } = await openLoneTab()
  putRows(data, 'deal_stages', { id: 'won', name: 'Won' })
  putRows(data, 'custom_fields', { id: 'f', label: 'renewal', type: 'date', options: [] })
  expect(editTitle(device, 'contacts', ['phone'], [owen])).toBe('Phone of “Owen”')
  expect(editTitle(device, 'contacts', ['title'], [owen])).toBe('Job title of “Owen”')
  expect(editTitle(device, 'tasks', ['title'], [undefined])).toBe('Title of a task')
  expect(editTitle(device, 'deals', ['owner_id'], [roof, roof, roof])).toBe('Owner of 3 deals')
  expect(editTitle(device, 'deals', ['custom.f'], [roof])).toBe('Renewal of “Roof”')
  expect(editTitle(device, 'deals', ['name', 'amount'], [roof])).toBe('Edit of deal “Roof”')
  expect(editTitle(device, 'deals', ['name', 'amount'], [roof, roof])).toBe('Edit of 2 deals')
  expect(editTitle(device, 'deals', ['name', 'amount'], [undefined])).toBe('Edit of a deal')
  expect(editTitle(device, 'deals', [], [roof])).toBe('Edit of deal “Roof”')
})

test('the title of a move names the stage, if this device knows it', async () => {
  const { device, data } = await openLoneTab()
  putRows(data, 'deal_stages', { id: 'won', name: 'Won' })
  const title = (stage_id: unknown) => editTitle(device, 'deals', ['stage_id'], [roof], { stage_id })
  expect(title('won')).toBe('Move “Roof” to Won')
  expect(title('unknown')).toBe('Stage of “Roof”')
  expect(title(null)).toBe('Stage of “Roof”')
  expect(editTitle(device, 'deals', ['stage_id'], [roof])).toBe('Stage of “Roof”')
})
