import { useId } from 'react'
import { countOf, formatCount } from '#web/lib/count.ts'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { Select } from '#web/ui/select.tsx'
import type { CustomField } from '#web/data/server/rows.ts'
import { customColumn, type FieldName, fieldNames } from './column-words.ts'
import { ChangedContacts } from './changed-contacts.tsx'
import { commaSentence } from './decimal-commas.ts'
import type { FileSummary } from './file-summary.ts'
import { FileLine } from './file-line.tsx'
import { FirstContacts } from './first-contacts.tsx'
import {
  type ColumnMap,
  fieldOfColumn,
  hasEmailOrPhoneColumn,
  isReasonHead,
  type Target,
  unusedHeads,
} from './map-columns.ts'
import type { OpenFile } from './open-contact-file.ts'
import { repeatedSentence } from './repeated-rows.ts'
import { aboveSentence, tooLongSentences, tooWideSentences } from './row-problems.ts'
import { type PreviewedChanges, useImportPreview } from './use-import-changes.ts'
import { useUnreadableValues } from './use-unreadable-values.ts'

interface ColumnsCardProps {
  file: File
  open: OpenFile
  summary: FileSummary
  fields: readonly CustomField[]
  columns: ColumnMap
  /** Whether the first row shall be a contact. The file is read again while `summary` differs. */
  headless: boolean
  onChange: (index: number, field: Target | null) => void
  onFirstRow: (headless: boolean) => void
  onStart: () => void
  onReset: () => void
}

const fieldLabels: Record<FieldName, string> = {
  email: 'Email',
  phone: 'Phone',
  first_name: 'First name',
  last_name: 'Last name',
  name: 'Full name',
  title: 'Job title',
  company: 'Company',
  tags: 'Tags',
  id: 'Banyan ID',
}
const standardOptions: readonly { value: Target | 'none'; label: string }[] = [
  { value: 'none', label: 'Left out' },
  ...fieldNames.map((value) => ({ value, label: fieldLabels[value] })),
]

/**
 * The step before an import whose columns the person must check (see `mayImportUnseen`): what each column maps to, and a preview of the first
 * contacts.
 */
export function ColumnsCard(props: ColumnsCardProps) {
  const { file, open, summary, fields, columns, headless, onChange, onFirstRow, onStart, onReset } = props
  const titleId = useId()
  const unusedCount = unusedHeads(summary.header, columns).length
  const listedColumns = summary.header.flatMap((head, index) => {
    if (isReasonHead(head)) return []
    const values = summary.samples.map(({ fields }) => fields[index]?.trim() ?? '').filter((value) => value !== '')
    return head.trim() ? [{ head: head.trim(), index, values }] : []
  })
  const options = [...standardOptions, ...fields.map(({ id, label }) => ({ value: customColumn(id), label }))]
  const missingFields = fields.filter(({ id, required }) => required && columnOfField(columns, id) < 0)
  const moreColumnCount = summary.columnCount - summary.header.length
  const hasContactColumn = hasEmailOrPhoneColumn(columns)
  const isReading = headless !== summary.headless
  const obstacle = isReading
    ? 'The file is being read again.'
    : summary.rows === 0
      ? 'There is no row to import.'
      : hasContactColumn
        ? null
        : 'Choose the column with the email or the phone number: a contact needs one of them.'
  const preview = useImportPreview(open, columns, fields, hasContactColumn)
  const unreadable = useUnreadableValues(open, columns, fields)
  return (
    <div className="flex flex-1 flex-col gap-5">
      <FileLine file={file} rows={summary.rows}>
        <Button size="form" onClick={onReset} className="max-sm:w-full">
          Choose another file
        </Button>
      </FileLine>
      <div>
        <h2 id={titleId} tabIndex={-1} data-autofocus="" className="text-lg">
          Check the columns
        </h2>
        <p className="text-ink2">
          {unusedCount > 0
            ? `${countOf(unusedCount, 'column is', 'columns are')} left out. Choose what ${unusedCount === 1 ? 'it becomes' : 'they become'}, or continue without.`
            : 'Every column is mapped to a field.'}
        </p>
      </div>
      <div>
        <label className="flex w-fit items-start gap-2.5">
          <Checkbox checked={!headless} onChange={({ target }) => onFirstRow(!target.checked)} className="mt-0.5" />
          {summary.rowsAbove > 0 ? `Row ${summary.rowsAbove + 1}` : 'The first row'} has the names of the columns
        </label>
        {!headless && summary.rowsAbove > 0 && <p className="mt-1 text-ink2">{aboveSentence(summary.rowsAbove)}</p>}
        {headless && summary.headless && (
          <p className="mt-1 text-ink2">
            The file has no header with the names of its columns, so its first row is a contact, too.
          </p>
        )}
      </div>
      {summary.tooWide.count > 0 && <p className="text-ink2">{tooWideSentences(summary.tooWide)}</p>}
      <ul
        aria-labelledby={titleId}
        className="max-h-96 overflow-y-auto rounded-control ring-1 ring-line ring-inset"
        // A scrolling area must be reachable by keyboard
        tabIndex={0}
      >
        {listedColumns.map(({ head, index, values }) => {
          const field = fieldOfColumn(columns, index)
          const customField = fields.find(({ id }) => customColumn(id) === field)
          const aboutCommas = commaSentence(summary.decimalCommas, index, customField)
          return (
            <li
              key={index}
              className="flex items-center gap-4 border-b border-line px-3.5 py-2 last:border-0 max-sm:flex-col max-sm:items-stretch max-sm:gap-1.5"
            >
              <div className="min-w-0 flex-1">
                <p title={head} className="truncate font-medium">
                  {head}
                </p>
                <p className="truncate text-xs text-ink3">{values.join(' · ') || 'Empty in the first rows'}</p>
                {aboutCommas && <p className="text-xs text-ink2 wrap-anywhere">{aboutCommas}</p>}
              </div>
              <Select
                aria-label={`${head} becomes`}
                value={field ?? 'none'}
                options={options}
                size="control"
                className={field ? 'w-44 max-sm:w-full' : 'w-44 text-ink3 max-sm:w-full'}
                onChange={(value) => onChange(index, value === 'none' ? null : value)}
              />
            </li>
          )
        })}
        {moreColumnCount > 0 && (
          <li className="num px-3.5 py-2.5 text-ink2">
            {countOf(moreColumnCount, 'more column is', 'more columns are')} not shown and left out
          </li>
        )}
      </ul>
      {summary.repeated > 0 && columns.email === summary.columns.email && (
        <p className="num text-ink2">{repeatedSentence(summary.repeated)}</p>
      )}
      {missingFields.length > 0 && (
        <p className="text-ink2 wrap-anywhere">
          Required and not in the file: {missingFields.map(({ label }) => label).join(', ')}. New contacts are added
          without.
        </p>
      )}
      <FirstContacts summary={summary} columns={columns} fields={fields} unreadable={unreadable} />
      {hasContactColumn && <Preview {...preview} />}
      <div className="mt-auto flex items-center justify-between gap-3 max-sm:flex-col max-sm:items-stretch">
        <p role="status" className="text-ink2">
          {obstacle}
        </p>
        <Button size="form" variant="primary" disabled={obstacle !== null} onClick={onStart}>
          Import {formatCount(summary.rows)} {summary.rows === 1 ? 'row' : 'rows'}
        </Button>
      </div>
    </div>
  )
}

function columnOfField(columns: ColumnMap, id: string): number {
  return columns[customColumn(id)] ?? -1
}

/** Shows the known contacts that the import would change, or why they could not be found, and which rows are too long. */
function Preview({ changes, hasOnlyFirstRows, error }: PreviewedChanges) {
  if (error) return <p className="text-ink2">The known contacts that change could not be found: {error}</p>
  if (!changes) return null
  const scopeText = hasOnlyFirstRows ? ` (in the first ${formatCount(changes.comparedRows)} rows)` : ''
  const title = `${countOf(changes.count, 'known contact changes', 'known contacts change')}${scopeText}`
  return (
    <>
      {changes.tooLongRows.length > 0 && <p className="text-danger">{tooLongSentences(changes.tooLongRows)}</p>}
      {changes.count > 0 && <ChangedContacts title={title} changes={changes} />}
    </>
  )
}
