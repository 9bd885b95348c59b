import { customWords } from '#web/data/changes/custom-words.ts'
import type { CustomField } from '#web/data/server/rows.ts'
import { fullName } from '#web/data/store/contact-name.ts'
import { cx } from '#web/lib/class-names.ts'
import { AlertIcon } from '#web/ui/icons.tsx'
import type { FileSummary } from './file-summary.ts'
import { customColumn, type FieldName } from './column-words.ts'
import type { UnreadableValues } from './first-file-rows.ts'
import { type ContactRow, contactRow, type LeftOutCell, type ReadRow } from './contact-row.ts'
import type { ColumnMap, Target } from './map-columns.ts'
import { UnreadableValueLists } from './unreadable-value-lists.tsx'

/** The columns of the preview. Each is shown if the file has a column for it. */
const standardColumns: readonly { head: string; from: readonly FieldName[]; of: (row: ReadRow) => string | null }[] = [
  { head: 'Name', from: ['first_name', 'last_name', 'name'], of: fullName },
  { head: 'Email', from: ['email'], of: ({ email }) => email },
  { head: 'Phone', from: ['phone'], of: ({ phone }) => phone },
  { head: 'Job title', from: ['title'], of: ({ title }) => title },
  { head: 'Company', from: ['company'], of: ({ company }) => company },
]
/** The maximum number of shown custom fields. Fields with an unreadable value are always shown. */
const maxShownFields = 4

interface FirstContactsProps {
  summary: FileSummary
  columns: ColumnMap
  fields: readonly CustomField[]
  /** The values of the whole file that would be left out. Null until they are counted. */
  unreadable: UnreadableValues | null
}

/**
 * A preview of the first rows of a file: the contacts that they would become, or why they are skipped. A value that cannot be read is
 * shown as it is in the file. Below are the values of the whole file that are left out, with the reasons.
 */
export function FirstContacts({ summary, columns, fields, unreadable }: FirstContactsProps) {
  if (summary.samples.length === 0) return null
  const rows = summary.samples.map((record) => ({
    row: record.row,
    read: contactRow(record, columns, fields, summary),
  }))
  const unreadableCells = rows.flatMap(({ read }) => ('row' in read ? read.leftOut.filter(isUnreadable) : []))
  const shownStandardColumns = standardColumns.filter(({ from }) => from.some((field) => columns[field] >= 0))
  const mappedFields = fields.filter(({ id }) => (columns[customColumn(id)] ?? -1) >= 0)
  const shownCustomFields = shownFields(mappedFields, new Set(unreadableCells.map(({ target }) => target)))
  const heads = [...shownStandardColumns.map(({ head }) => head), ...shownCustomFields.map(({ label }) => label)]
  if (heads.length === 0) return null
  return (
    <div className="flex flex-col gap-3">
      <div
        // A scrolling area must be reachable by keyboard
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
            {rows.map(({ row, read }) => (
              <tr key={row} className="border-b border-line last:border-0">
                {'reason' in read ? (
                  <td colSpan={heads.length} className="px-3 py-2 text-ink2">
                    Skipped: {read.reason}
                  </td>
                ) : (
                  <>
                    {shownStandardColumns.map(({ head, of }, index) => (
                      <Cell key={head} text={of(read.row)} isFirst={index === 0} />
                    ))}
                    {shownCustomFields.map((field) => (
                      <CustomCell key={field.id} field={field} read={read} />
                    ))}
                  </>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {unreadable && <UnreadableValueLists values={unreadable} />}
    </div>
  )
}

function Cell({ text, isFirst }: { text: string | null; isFirst: boolean }) {
  return (
    <td title={text ?? undefined} className={cx('truncate px-3 py-2', isFirst ? 'font-medium' : 'text-ink2')}>
      {text ?? '–'}
    </td>
  )
}

function CustomCell({ field, read }: { field: CustomField; read: Extract<ContactRow, { row: unknown }> }) {
  const leftOutCell = read.leftOut.find((cell) => cell.target === customColumn(field.id) && isUnreadable(cell))
  if (!leftOutCell) return <Cell text={customWords(field, read.row.custom?.[field.id])} isFirst={false} />
  return (
    <td title={`${leftOutCell.text}: ${leftOutCell.reason}`} className="px-3 py-2 text-danger">
      <span className="flex items-center gap-1.5">
        <AlertIcon className="size-3.5 shrink-0" />
        <span className="sr-only">Not readable:</span>
        <span className="truncate">{leftOutCell.text}</span>
      </span>
    </td>
  )
}

/** Whether the whole cell is left out. False if its first value is imported and only its further values are left out. */
function isUnreadable({ isFurther }: LeftOutCell): boolean {
  return !isFurther
}

function shownFields(mapped: readonly CustomField[], unreadable: ReadonlySet<Target | null>): CustomField[] {
  const readable = mapped
    .filter(({ id }) => !unreadable.has(customColumn(id)))
    .slice(0, Math.max(0, maxShownFields - unreadable.size))
  return mapped.filter((field) => unreadable.has(customColumn(field.id)) || readable.includes(field))
}
