import { useEffect, useState } from 'react'
import type { CustomField } from '#web/data/server/rows.ts'
import type { UnreadableValues } from './first-file-rows.ts'
import type { ColumnMap } from './map-columns.ts'
import type { OpenFile } from './open-contact-file.ts'

/** The maximum number of rows that are read. More would delay the import. */
const maxReadRows = 20_000
const debounceMs = 250

/**
 * Counts the values in the first 20,000 rows of a file that an import would leave out, and returns the first of them. Null until they are counted
 * for these columns, and after an error.
 */
export function useUnreadableValues(
  open: OpenFile,
  columns: ColumnMap,
  fields: readonly CustomField[],
): UnreadableValues | null {
  const [counted, setCounted] = useState<{ columns: ColumnMap; values: UnreadableValues } | null>(null)
  useEffect(() => {
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
  }, [open, columns, fields])
  return counted?.columns === columns ? counted.values : null
}
