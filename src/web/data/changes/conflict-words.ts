import { type Device } from '#web/data/browser/device.ts'
import { formatDay, formatMoment } from '#web/lib/dates.ts'
import { formatMoney } from '#web/lib/money.ts'
import { type BrandData, openBrand } from '#web/data/store/brand-data.ts'
import { contactName } from '#web/data/store/contact-name.ts'
import type { FieldConflict, Operation } from '#web/data/store/operation.ts'

/** The conflict with values for people: names instead of ids, formatted money and dates. Empty values stay null. */
export function readableConflict(device: Device, operation: Operation, conflict: FieldConflict): FieldConflict {
  const open = openBrand(device).get()
  const data = open?.brandId === operation.brandId ? open : null
  const words = (value: unknown) => readable(data, operation.rowId, conflict.field, value)
  return { ...conflict, base: words(conflict.base), mine: words(conflict.mine), theirs: words(conflict.theirs) }
}

function readable(data: BrandData | null, rowId: string, field: string, value: unknown): unknown {
  if (field === 'amount' && typeof value === 'number')
    return formatMoney(value, data?.tables.deals.get(rowId)?.amount_currency ?? 'GBP')
  if (typeof value !== 'string') return value
  if (field === 'due_at') return formatMoment(value)
  if (field === 'expected_close_date') return formatDay(value)
  if (field === 'priority') return value.charAt(0).toUpperCase() + value.slice(1)
  if (!field.endsWith('_id')) return value
  return (data && nameOf(data, field, value)) ?? 'A record that is not on this device'
}

function nameOf({ tables }: BrandData, field: string, id: string): string | null | undefined {
  switch (field) {
    case 'stage_id':
      return tables.deal_stages.get(id)?.name
    case 'contact_id':
      return contactName(tables.contacts.get(id))
    case 'company_id':
      return tables.companies.get(id)?.name
    case 'deal_id':
      return tables.deals.get(id)?.name
    default:
      return tables.memberships.get(id)?.display_name ?? 'Former member'
  }
}
