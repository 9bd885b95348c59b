import { useEffect, useState } from 'react'
import type { CustomField } from '#web/data/server/rows.ts'
import { customColumn } from './column-words.ts'
import type { UnreadableValues } from './first-file-rows.ts'
import type { ColumnMap } from './map-columns.ts'
import type { OpenFile } from './open-contact-file.ts'

/** The maximum number of rows that are read. More would delay the import. */
const maxReadRows = 20_000
const debounceMs = 250

/**
 * Returns the values of a file that the custom fields of its columns cannot have. Null until they are counted, after an error, and if no column
 * has a custom field.
 */
export function useUnreadableValues(
  open: OpenFile,
  columns: ColumnMap,
  fields: readonly CustomField[],
): UnreadableValues | null {
  const [counted, setCounted] = useState<{ columns: ColumnMap; values: UnreadableValues } | null>(null)
  const hasCustom = fields.some(({ id }) => (columns[customColumn(id)] ?? -1) >= 0)
  useEffect(() => {
    if (!hasCustom) return
    const abortController = new AbortController()
    const timer = setTimeout(() => {
      open.unreadableValues(maxReadRows, columns, fields).then(
        (values) => !abortController.signal.aborted && setCounted({ columns, values }),
        () => !abortController.signal.aborted && setCounted(null),
      )
    }, debounceMs)
    return () => {
      clearTimeout(timer)
      abortController.abort()
    }
  }, [open, columns, fields, hasCustom])
  return hasCustom && counted?.columns === columns ? counted.values : null
}
