import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { openLoneTab, putRows } from '#tests/harness/lone-tab.ts'
import type { CustomField } from '#web/data/server/rows.ts'
import { customOrder, customSort, isSortable, readCustomSort } from './custom-order.ts'

test('`readCustomSort` returns the field and the direction that were given to `customSort`, and null for other orders', () => {
  fc.assert(
    fc.property(fc.uuid(), fc.boolean(), (fieldId, isDescending) => {
      expect(readCustomSort(customSort(fieldId, isDescending))).toEqual({ fieldId, isDescending })
    }),
  )
  expect(readCustomSort('newest')).toBeNull()
  expect(readCustomSort('newest.desc')).toBeNull()
  expect(customSort('f')).toBe('custom.f')
})

test('lists can be ordered by custom fields of all types except long texts and several choices', () => {
  const types = ['text', 'long_text', 'number', 'money', 'date', 'yes_no', 'choice', 'choices', 'link'] as const
  expect(types.filter((type) => isSortable({ type }))).toEqual([
    'text',
    'number',
    'money',
    'date',
    'yes_no',
    'choice',
    'link',
  ])
})

const options = [
  { id: 'silver', label: 'Silver' },
  { id: 'gold', label: 'Gold' },
]

/**
 * Makes a row for each of these values of the field, and returns the ids of the rows in the order of the field. Undefined makes a row
 * without a value.
 */
async function idsInOrder(
  field: Partial<CustomField> | null,
  values: readonly unknown[],
  isDescending = false,
): Promise<string> {
  const { data } = await openLoneTab()
  if (field) putRows(data, 'custom_fields', { id: 'f', options, retired_at: null, label: 'F', ...field })
  values.forEach((value, index) =>
    putRows(data, 'deals', {
      id: 'abcdefgh'.charAt(index),
      created_at: `2026-11-0${1 + (index >> 1)}`,
      custom: value === undefined ? {} : { f: value },
    }),
  )
  const order = customOrder<'deals'>(customSort('f', isDescending))
  if (!order) throw new Error('no order')
  const rows = [...data.tables.deals.values()].toReversed()
  return rows
    .sort(order.compare(data))
    .map(({ id }) => id)
    .join('')
}

describe('rows are in the order of the field', () => {
  test.each<[CustomField['type'], unknown[], string]>([
    ['number', [10, 9, -1], 'cba'],
    ['money', [10, 9.5, -1], 'cba'],
    ['date', ['2026-11-10', '2026-11-09', '2025-12-01'], 'cba'],
    ['text', ['Item 10', 'Item 2', 'anna'], 'cba'],
    ['link', ['https://b.test', 'https://a.test'], 'ba'],
    ['yes_no', [true, false], 'ba'],
    ['choice', ['gold', 'silver'], 'ba'],
    ['text', ['5', 'x', '10'], 'acb'],
    ['date', ['5', 'x', '10'], 'cab'],
  ])('rows are in the order of a custom field of the type %s: %j', async (type, values, order) => {
    expect(await idsInOrder({ type }, values)).toBe(order)
    expect(await idsInOrder({ type }, values, true)).toBe(order.split('').toReversed().join(''))
  })

  test('empty values of a custom field, and values of another type, come last in both directions', async () => {
    expect(await idsInOrder({ type: 'number' }, [undefined, 2, '3', 1])).toBe('dbac')
    expect(await idsInOrder({ type: 'number' }, [undefined, 2, '3', 1], true)).toBe('bdac')
    expect(await idsInOrder({ type: 'text' }, [5, 'b', undefined, 'a'])).toBe('dbac')
    expect(await idsInOrder({ type: 'yes_no' }, ['true', true, undefined, false])).toBe('dbac')
    expect(await idsInOrder({ type: 'choice' }, ['gone', 'gold', undefined, 'silver'])).toBe('dbac')
  })

  test('rows with equal values of a custom field are in the order of their ids, in both directions', async () => {
    expect(await idsInOrder({ type: 'number' }, [1, 1, 1])).toBe('abc')
    expect(await idsInOrder({ type: 'number' }, [1, 1, 1], true)).toBe('abc')
    expect(await idsInOrder({ type: 'text' }, ['x', 'x'], true)).toBe('ab')
  })
})

test('the newest rows come first if the field does not exist, is retired or is not sortable; equally new rows are in the order of their ids', async () => {
  for (const field of [null, { type: 'number', retired_at: '2026-11-01' }, { type: 'choices' }] as const)
    expect(await idsInOrder(field, [4, 3, 2, 1])).toBe('cdab')
})

test('an order by a custom field depends on the custom fields, so that lists are sorted again when they change', () => {
  expect(customOrder('custom.f')?.dependsOn).toBe('custom_fields')
  expect(customOrder('name')).toBeNull()
})
