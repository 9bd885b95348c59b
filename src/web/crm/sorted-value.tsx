import { customWords } from '#web/data/changes/custom-words.ts'
import { useCustomFields } from '#web/data/custom-fields.ts'
import { readCustomSort } from '#web/data/query/custom-order.ts'
import type { CustomField } from '#web/data/server/rows.ts'
import type { OwnedTable } from '#web/data/store/record-tables.ts'
import { cx } from '#web/lib/class-names.ts'

/** The custom field by which a list is sorted, or null. */
export type SortedField = CustomField | null

/** Returns the custom field by which a list is sorted; null if it is sorted by something else. */
export function useSortedField(table: OwnedTable, sort: string): SortedField {
  const by = readCustomSort(sort)
  return useCustomFields(table).find(({ id }) => id === by?.fieldId) ?? null
}

interface SortedValueProps {
  field: SortedField
  record: { custom?: Record<string, unknown> }
  className?: string
}

/** The record's value of the custom field by which a list of cards is sorted: 'Score: 12'. Renders nothing if there is no value. */
export function SortedValue({ field, record, className }: SortedValueProps) {
  const valueText = field && customWords(field, record.custom?.[field.id])
  if (!field || valueText === null) return null
  return (
    <p className={cx('num truncate text-ink2', className)} title={`${field.label}: ${valueText}`}>
      {field.label}: {valueText}
    </p>
  )
}
