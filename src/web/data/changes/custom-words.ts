import { formatDay } from '#web/lib/dates.ts'
import { formatMoney } from '#web/lib/money.ts'
import { listOf } from '#web/lib/read-unknown.ts'
import type { CustomField } from '#web/data/server/rows.ts'

const listFormat = new Intl.ListFormat('en-GB', { type: 'unit', style: 'short' })
/** Formats a number that has no unit: '1,234.5'. */
export const numberFormat = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 6 })

/** Returns the value of a custom field as people read it: '£1,200', '7 Dec', 'Yes', 'Gold, Silver'. Null if the field has no value. */
export function customWords({ type, options, currency }: CustomField, value: unknown): string | null {
  if (value === undefined || value === null) return null
  const labelOf = (id: unknown) => options.find((option) => option.id === id)?.label ?? 'An unknown option'
  if (type === 'choice') return labelOf(value)
  if (type === 'choices') return listFormat.format(listOf(value).map(labelOf))
  if (type === 'yes_no') return value === true ? 'Yes' : 'No'
  if (typeof value === 'number')
    return type === 'money' ? formatMoney(value, currency ?? 'GBP') : numberFormat.format(value)
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return type === 'date' ? formatDay(text) : text
}
