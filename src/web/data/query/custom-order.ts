import type { CustomField } from '#web/data/server/rows.ts'
import type { TableName, TableRows } from '#web/data/server/tables.ts'
import type { BrandTables, RowOrder } from '#web/data/store/definition.ts'
import { customFieldId, type CustomPath, customPath, readField } from '#web/data/store/row-fields.ts'
import { byId, newestFirst, type Order } from '#web/data/store/sorted-list.ts'
import { compareNames } from '#web/lib/names.ts'

/** The name of an order by a custom field: the field's path, followed by '.desc' if the order is descending. */
export type CustomSort = CustomPath

const descendingSuffix = '.desc'

/** Returns the name of the order by the custom field with this id. */
export function customSort(fieldId: string, isDescending = false): CustomSort {
  return `${customPath(fieldId)}${isDescending ? descendingSuffix : ''}`
}

/** Returns the custom field and the direction that the name of an order contains. Null if the order is not by a custom field. */
export function readCustomSort(order: string): { fieldId: string; isDescending: boolean } | null {
  const isDescending = order.endsWith(descendingSuffix)
  const fieldId = customFieldId(isDescending ? order.slice(0, -descendingSuffix.length) : order)
  return fieldId === null ? null : { fieldId, isDescending }
}

type Key = string | number | boolean | null

/**
 * The functions that make sort keys of a custom field's values, by field type, as SQL's `private.order_keys` does. Lists cannot be ordered
 * by fields of the types that are missing here.
 */
const keyMakers: Partial<Record<CustomField['type'], (field: CustomField) => (value: unknown) => Key>> = {
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

/** Whether lists can be ordered by this custom field. */
export function isSortable({ type }: Pick<CustomField, 'type'>): boolean {
  return keyMakers[type] !== undefined
}

/**
 * Returns the order by the custom field that `order` names. Empty values come last in both directions. If the field does not exist, is
 * retired or is not sortable, the newest rows come first. Null if `order` does not name a custom field.
 */
export function customOrder<Table extends TableName>(order: string): RowOrder<TableRows[Table]> | null {
  const custom = readCustomSort(order)
  if (!custom) return null
  const { fieldId, isDescending } = custom
  const compare = ({ tables }: BrandTables): Order<TableRows[Table]> => {
    const field = tables.custom_fields.get(fieldId)
    const keyOf = field && field.retired_at === null ? keyMakers[field.type]?.(field) : undefined
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
