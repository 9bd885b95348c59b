import type { ContactSort } from '#web/data/contacts.ts'
import { customSort, isSortable } from '#web/data/query/custom-order.ts'
import type { CustomField } from '#web/data/server/rows.ts'
import { cx } from '#web/lib/class-names.ts'
import { SortHead } from '#web/ui/sort-head.tsx'
import { customColumn } from './contact-row.tsx'

interface CustomHeadProps {
  field: CustomField
  sort: ContactSort
  onSort: (sort: ContactSort) => void
}

/**
 * The head of a custom field's column. If the list can be sorted by the field, clicks sort it ascending, then descending, then in the default
 * order.
 */
export function CustomHead({ field, sort, onSort }: CustomHeadProps) {
  const { id, label, type } = field
  const isNumber = type === 'number' || type === 'money'
  const [ascending, descending] = [customSort(id), customSort(id, true)]
  if (!isSortable(field))
    return (
      <div role="columnheader" title={label} className={cx(customColumn, 'truncate')}>
        {label}
      </div>
    )
  return (
    <SortHead
      label={label}
      title={label}
      sorted={sort === descending ? 'descending' : sort === ascending}
      onSort={() => onSort(sort === ascending ? descending : sort === descending ? 'newest' : ascending)}
      className={cx(customColumn, isNumber && 'flex justify-end')}
    />
  )
}
