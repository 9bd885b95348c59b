import { formatCount } from '#web/lib/count.ts'
import type { FileSummary } from './file-summary.ts'

/** Returns the sentences about rows with more values than there are columns, for the step before an import. */
export function tooWideSentences({ count, first }: FileSummary['tooWide']): string {
  const rows =
    count === 1
      ? `Row ${formatCount(first)} has`
      : `${formatCount(count)} rows, the first of them row ${formatCount(first)}, have`
  return `${rows} more values than there are columns. Check the file: perhaps a value contains the separator and needs quotation marks. The values beyond the last column are left out, and the download after the import lists them.`
}

/** Returns the sentences about rows that are too long to be imported. `rows`: their row numbers, at least one. */
export function tooLongSentences(rows: readonly number[]): string {
  const first = formatCount(rows[0] ?? 0)
  return rows.length === 1
    ? `Row ${first} is longer than 500 kB and cannot be imported. Shorten its values in the file, then choose the file again.`
    : `${formatCount(rows.length)} rows, the first of them row ${first}, are longer than 500 kB and cannot be imported. Shorten their values in the file, then choose the file again.`
}
