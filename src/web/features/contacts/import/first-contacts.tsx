import { customWords } from '#web/data/changes/custom-words.ts'
import type { CustomField } from '#web/data/server/rows.ts'
import { fullName } from '#web/data/store/contact-name.ts'
import type { FileSummary } from './contact-file.ts'
import { customColumn } from './column-words.ts'
import { contactRow, type ReadRow } from './contact-row.ts'
import type { ColumnMap } from './map-columns.ts'

const ours = ['Name', 'Email', 'Phone', 'Job title', 'Company']
/** So many custom fields are shown. */
const mostShown = 4

interface FirstContactsProps {
  summary: FileSummary
  columns: ColumnMap
  fields: readonly CustomField[]
}

/** The first rows of a file as the contacts that they would become, or why they are skipped. */
export function FirstContacts({ summary, columns, fields }: FirstContactsProps) {
  if (summary.samples.length === 0) return null
  const custom = fields.filter(({ id }) => (columns[customColumn(id)] ?? -1) >= 0).slice(0, mostShown)
  const heads = [...ours, ...custom.map(({ label }) => label)]
  return (
    // A scrolling area must be reachable by keyboard
    <div
      tabIndex={0}
      role="region"
      aria-label="First contacts"
      className="overflow-x-auto rounded-control ring-1 ring-line ring-inset"
    >
      <table style={{ minWidth: `${heads.length * 6.5}rem` }} className="w-full table-fixed text-left text-sm">
        <thead className="text-xs text-ink3">
          <tr className="border-b border-line">
            {heads.map((head) => (
              <th key={head} title={head} className="truncate px-3 py-2 font-medium">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {summary.samples.map((record) => {
            const read = contactRow(record, columns, fields)
            return (
              <tr key={record.line} className="border-b border-line last:border-0">
                {'reason' in read ? (
                  <td colSpan={heads.length} className="px-3 py-2 text-ink2">
                    Skipped: {read.reason}
                  </td>
                ) : (
                  valuesOf(read.row, custom).map((value, place) => (
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

function valuesOf(row: ReadRow, custom: readonly CustomField[]): (string | null)[] {
  const values = custom.map((field) => customWords(field, row.custom?.[field.id]))
  return [fullName(row), row.email, row.phone, row.title, row.company, ...values]
}
