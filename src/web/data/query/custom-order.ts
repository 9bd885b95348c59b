import type { CustomField } from '#web/data/server/rows.ts'
import type { TableName, TableRows } from '#web/data/server/tables.ts'
import type { BrandTables, RowOrder } from '#web/data/store/definition.ts'
import { customFieldId, type CustomPath, customPath, readField } from '#web/data/store/row-fields.ts'
import { byId, newestFirst, type Order } from '#web/data/store/sorted-list.ts'
import { compareNames } from '#web/lib/names.ts'

/** An order by a custom field: its path, and '.desc' for the opposite direction. */
export type CustomSort = CustomPath

const descending = '.desc'

/** Returns the order by this field. */
export function customSort(fieldId: string, isDescending = false): CustomSort {
  return `${customPath(fieldId)}${isDescending ? descending : ''}`
}

/** Returns the field and the direction of an order. Null for an order of the table itself. */
export function readCustomSort(order: string): { fieldId: string; isDescending: boolean } | null {
  const isDescending = order.endsWith(descending)
  const fieldId = customFieldId(isDescending ? order.slice(0, -descending.length) : order)
  return fieldId === null ? null : { fieldId, isDescending }
}

type Key = string | number | boolean | null

/** Sort keys by field type, as in SQL's `private.order_keys`. Lists cannot be ordered by the types that are missing. */
const keys: Partial<Record<CustomField['type'], (field: CustomField) => (value: unknown) => Key>> = {
  text: () => textOf,
  link: () => textOf,
  number: () => numberOf,
  money: () => numberOf,
  date: () => textOf,
  yes_no: () => (value) => (typeof value === 'boolean' ? value : null),
  choice: ({ options }) => {
    const positions = new Map<unknown, number>(options.map(({ id }, position) => [id, position]))
    return (value) => positions.get(value) ?? null
  },
}

/** Whether lists can be ordered by this field. */
export function isSortable({ type }: Pick<CustomField, 'type'>): boolean {
  return keys[type] !== undefined
}

/**
 * Returns the order by a custom field. Empty values come last in both directions. Without the field, or if it is retired: newest first.
 * Null for other orders.
 */
export function customOrder<Table extends TableName>(order: string): RowOrder<TableRows[Table]> | null {
  const custom = readCustomSort(order)
  if (!custom) return null
  const { fieldId, isDescending } = custom
  const compare = ({ tables }: BrandTables): Order<TableRows[Table]> => {
    const field = tables.custom_fields.get(fieldId)
    const keyOf = field && field.retired_at === null ? keys[field.type]?.(field) : undefined
    if (!field || !keyOf) return newestFirst
    const path = customPath(fieldId)
    const isName = field.type === 'text' || field.type === 'link'
    return (a, b) => {
      const [one, other] = [keyOf(readField(a, path)), keyOf(readField(b, path))]
      if (one === null || other === null) return Number(one === null) - Number(other === null) || byId(a, b)
      const compared = isName ? compareNames(String(one), String(other)) : one === other ? 0 : one < other ? -1 : 1
      return (isDescending ? -compared : compared) || byId(a, b)
    }
  }
  return { compare, dependsOn: 'custom_fields' }
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' ? value : null
}
