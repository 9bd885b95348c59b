import { expect, test } from 'vitest'
import { openLoneTab } from '#tests/harness/lone-tab.ts'
import { isAnsweredHere, tablesOf } from './is-answered-here.ts'

test('a query depends on its table, and on the tables that its search and its order use', async () => {
  const { data } = await openLoneTab()
  expect(tablesOf(data, { table: 'deals' })).toEqual(['deals'])
  expect(tablesOf(data, { table: 'deals', search: 'x' })).toEqual(['deals', 'contacts', 'companies'])
  expect(tablesOf(data, { table: 'contacts', order: 'company' })).toEqual(['contacts', 'companies'])
  expect(tablesOf(data, { table: 'contacts', order: 'company', search: 'x' })).toEqual(['contacts', 'companies'])
  expect(tablesOf(data, { table: 'deals', order: 'custom.f' })).toEqual(['deals', 'custom_fields'])
  expect(tablesOf(data, { table: 'tags', search: 'x', order: 'unknown' })).toEqual(['tags'])
})

test('the device answers a query if all tables on which the query depends are complete', async () => {
  const { data } = await openLoneTab({ windowed: ['companies'] })
  expect(isAnsweredHere(data, { table: 'deals' })).toBe(true)
  expect(isAnsweredHere(data, { table: 'companies' })).toBe(false)
  expect(isAnsweredHere(data, { table: 'deals', search: 'x' })).toBe(false)
  expect(isAnsweredHere(data, { table: 'contacts', order: 'company' })).toBe(false)
  expect(isAnsweredHere(data, { table: 'contacts', order: 'name' })).toBe(true)
})
