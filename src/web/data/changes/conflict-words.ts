import type { Device } from '#web/data/browser/device.ts'
import { formatDay, formatDueMoment } from '#web/lib/dates.ts'
import { formatMoney } from '#web/lib/money.ts'
import { type BrandData, openBrand } from '#web/data/store/brand-data.ts'
import { referencesOf } from '#web/data/store/definition.ts'
import type { FieldConflict, Operation } from '#web/data/store/operation.ts'
import type { TableName } from '#web/data/server/tables.ts'
import { customFieldId } from '#web/data/store/row-fields.ts'
import { customWords, numberFormat } from './custom-words.ts'
import { nameOfRecord } from './record-words.ts'

/**
 * Returns a conflict with its values as people read them: names instead of ids, and formatted money and dates. Empty values stay null. Each
 * amount has its own currency: that of the edit, or that of the deal on the server. It has no symbol if this device does not know the currency.
 */
export function readableConflict(device: Device, operation: Operation, conflict: FieldConflict): FieldConflict {
  const openData = openBrand(device).get()
  const data = openData?.brandId === operation.brandId ? openData : null
  const { field, base, mine, theirs } = conflict
  const words = (value: unknown, { amount_currency }: Record<string, unknown>) =>
    readableValue(data, operation, field, value, amount_currency)
  return { field, base: words(base, operation.base), mine: words(mine, operation.values), theirs: words(theirs, {}) }
}

function readableValue(
  data: BrandData | null,
  { table, rowId }: Operation,
  field: string,
  value: unknown,
  ownCurrency: unknown,
): unknown {
  const customId = customFieldId(field)
  if (customId !== null) {
    const custom = data?.tables.custom_fields.get(customId)
    return custom ? customWords(custom, value) : value
  }
  if (field === 'amount' && typeof value === 'number') {
    const currency = ownCurrency ?? data?.tables.deals.serverRow(rowId)?.amount_currency
    return typeof currency === 'string' ? formatMoney(value, currency) : numberFormat.format(value)
  }
  if (typeof value !== 'string') return value
  if (field.endsWith('_at')) return formatDueMoment(value)
  if (field.endsWith('_date')) return formatDay(value)
  if (field === 'priority') return capitalised(value)
  // 'monthly 31 Europe/London' is shown as 'Monthly, day 31'.
  if (field === 'repeats') return capitalised(value.replace(/ \S+$/, '').replace(' ', ', day '))
  if (!field.endsWith('_id')) return value
  return (data && nameOf(data, table, field, value)) ?? 'A record that is not on this device'
}

function capitalised(value: string): string {
  return value.charAt(0).toUpperCase() + value.slice(1)
}

function nameOf(data: BrandData, table: TableName, field: string, id: string): string | null | undefined {
  if (field === 'stage_id') return data.tables.deal_stages.get(id)?.name
  const linked = referencesOf(data.definitions, table).get(field)
  if (!linked) return data.tables.memberships.get(id)?.display_name ?? 'Former member'
  const row = data.tables[linked].get(id)
  return row && nameOfRecord(row)
}
