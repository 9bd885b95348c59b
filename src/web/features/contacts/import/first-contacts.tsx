import { fullName } from '#web/data/store/contact-name.ts'
import type { FileSummary } from './contact-file.ts'
import { contactRow } from './contact-row.ts'
import type { ColumnMap } from './map-columns.ts'

const heads = ['Name', 'Email', 'Phone', 'Job title', 'Company']

/** The first rows of a file as the contacts that they would become, or why they are skipped. */
export function FirstContacts({ summary, columns }: { summary: FileSummary; columns: ColumnMap }) {
  if (summary.samples.length === 0) return null
  return (
    // A scrolling area must be reachable by keyboard
    <div
      tabIndex={0}
      role="region"
      aria-label="First contacts"
      className="overflow-x-auto rounded-control ring-1 ring-line ring-inset"
    >
      <table className="w-full min-w-130 table-fixed text-left text-sm">
        <thead className="text-xs text-ink3">
          <tr className="border-b border-line">
            {heads.map((head) => (
              <th key={head} className="px-3 py-2 font-medium">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {summary.samples.map((record) => {
            const row = contactRow(record, columns)
            return (
              <tr key={record.line} className="border-b border-line last:border-0">
                {'reason' in row ? (
                  <td colSpan={heads.length} className="px-3 py-2 text-ink2">
                    Skipped: {row.reason}
                  </td>
                ) : (
                  [fullName(row), row.email, row.phone, row.title, row.company].map((value, place) => (
                    <td
                      key={heads[place]}
                      title={value ?? undefined}
                      className={place === 0 ? 'truncate px-3 py-2 font-medium' : 'truncate px-3 py-2 text-ink2'}
                    >
                      {value ?? '–'}
                    </td>
                  ))
                )}
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}
