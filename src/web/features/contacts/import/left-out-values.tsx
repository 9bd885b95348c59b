import { countOf } from '#web/lib/count.ts'
import type { Report } from './report.ts'
import { inDownload, RowList } from './row-list.tsx'

/**
 * The values that an import has not set: the cells that were left out, by row, and the required custom fields without a value in new
 * contacts.
 */
export function LeftOutValues({ report: { leftOutCells, missing } }: { report: Report }) {
  const { count, rows } = leftOutCells
  const missingTexts = missing.map(([label, contacts]) => `${label} (${countOf(contacts, 'contact', 'contacts')})`)
  return (
    <>
      {missingTexts.length > 0 && (
        <p className="num text-ink2 wrap-anywhere">Required and empty: {missingTexts.join(', ')}.</p>
      )}
      {count > 0 && (
        <div className="flex flex-col gap-2">
          <p className="num text-ink2">
            {count === 1
              ? 'One value was left out; its row was imported.'
              : `${countOf(count, 'value was', 'values were')} left out; their rows were imported.`}{' '}
            The download has only the email or phone number and the left-out values of such a row, or the whole row if
            it has more values than there are columns.
          </p>
          <RowList label="Values left out" rows={rows} count={count} reason="Reason" elsewhere={inDownload} />
        </div>
      )}
    </>
  )
}
