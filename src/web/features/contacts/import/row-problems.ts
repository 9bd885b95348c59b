import { formatCount } from '#web/lib/count.ts'
import type { LeftOutCount, UnreadableValues } from './first-file-rows.ts'
import type { FileSummary } from './file-summary.ts'

/** Returns the sentence about the rows above the header, for the step before an import. `count`: at least one. */
export function aboveSentence(count: number): string {
  const rows = count === 1 ? 'row of the file is' : `${formatCount(count)} rows of the file are`
  return `The first ${rows} above the column headings and ${count === 1 ? 'is' : 'are'} left out.`
}

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

/** Returns the sentences about values that no custom field can have, for the step before an import; null if there are none. */
export function unreadableSentences(values: UnreadableValues): string | null {
  return countedSentences(values, values, (count) => {
    const subject =
      count === 1 ? 'One value is not readable and is' : `${formatCount(count)} values are not readable and are`
    return `${subject} left out; the rows are imported.`
  })
}

/** Returns the sentences about cells of which only the first value is imported, for the step before an import; null if there are none. */
export function furtherSentences(values: UnreadableValues): string | null {
  return countedSentences(values.further, values, (count) => {
    const cells = count === 1 ? 'One cell has' : `${formatCount(count)} cells have`
    return `${cells} several values, of which the first is imported.`
  })
}

/**
 * Returns the sentence about the counted values. If not all rows were read, it begins with 'In the first 20,000 rows'. If not all values are listed,
 * 'The first 8:' follows.
 */
function countedSentences(
  { count, first }: LeftOutCount,
  { rows, done }: UnreadableValues,
  sentenceOf: (count: number) => string,
): string | null {
  if (count === 0) return null
  const sentence = sentenceOf(count)
  const scoped = done
    ? sentence
    : `In the first ${formatCount(rows)} rows, ${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}`
  return first.length < count ? `${scoped} The first ${formatCount(first.length)}:` : scoped
}
