import { useDevice } from '#web/data/browser/device.ts'
import { customWords } from '#web/data/changes/custom-words.ts'
import { updateRecord } from '#web/data/changes/update-record.ts'
import type { CustomTable } from '#web/data/custom-fields.ts'
import type { CustomField } from '#web/data/server/rows.ts'
import { failureOf } from '#web/data/session/outcome.ts'
import { customPath } from '#web/data/store/row-fields.ts'
import { listOf } from '#web/lib/read-unknown.ts'
import { Choices } from '#web/ui/choices.tsx'
import { EditDate } from '#web/ui/edit-in-place/edit-date.tsx'
import { EditMultiline } from '#web/ui/edit-in-place/edit-multiline.tsx'
import { EditRow, type SaveResult } from '#web/ui/edit-in-place/edit-row.tsx'
import { EditSelect } from '#web/ui/edit-in-place/edit-select.tsx'
import { EditText } from '#web/ui/edit-in-place/edit-text.tsx'
import { useChoice } from '#web/ui/edit-in-place/use-choice.ts'
import { ExternalIcon } from '#web/ui/icons.tsx'
import { customFieldIcon } from './custom-icon.tsx'
import { maxCustomTextLengths, fieldProblem, fieldText, parseFieldText } from './custom-value.ts'

interface CustomFieldListProps {
  table: CustomTable
  id: string
  custom: Readonly<Record<string, unknown>>
  fields: readonly CustomField[]
}

/** The custom fields of a record, each edited in place. A required field that has a value cannot be emptied. */
export function CustomFieldList({ table, id, custom, fields }: CustomFieldListProps) {
  const device = useDevice()
  return fields.map((field) => (
    <EditCustom
      key={field.id}
      field={field}
      value={custom[field.id]}
      onSave={(value) => failureOf(updateRecord(device, table, id, { [customPath(field.id)]: value }))}
    />
  ))
}

interface EditCustomProps {
  field: CustomField
  value: unknown
  onSave: (value: unknown) => SaveResult
}

function EditCustom({ field, value, onSave }: EditCustomProps) {
  const rowProps = {
    label: field.label,
    icon: customFieldIcon(field.type),
    placeholder: field.required ? 'Required' : 'Add',
  }
  const check = (text: string) =>
    field.required && text.trim() === '' && value !== undefined
      ? `${field.label} is required`
      : fieldProblem(field, text)
  switch (field.type) {
    case 'yes_no':
    case 'choice':
      return <EditSingleChoice {...rowProps} field={field} value={value} onSave={onSave} />
    case 'choices':
      return <EditSeveralChoices {...rowProps} field={field} value={value} onSave={onSave} />
    case 'date':
      return (
        <EditDate
          label={field.label}
          value={typeof value === 'string' ? value : null}
          check={check}
          onSave={onSave}
          fullYear
        />
      )
    case 'long_text':
      return (
        <EditMultiline
          {...rowProps}
          value={fieldText(field, value)}
          maxLength={maxCustomTextLengths.long_text}
          check={check}
          onSave={onSave}
        />
      )
    default:
      return (
        <div className="relative">
          <EditText
            {...rowProps}
            value={fieldText(field, value)}
            {...(field.type === 'link' && { type: 'url' as const, inputMode: 'url' as const })}
            {...((field.type === 'number' || field.type === 'money') && { inputMode: 'decimal' as const })}
            {...(maxCustomTextLengths[field.type] && { maxLength: maxCustomTextLengths[field.type] })}
            display={(text) => customWords(field, parseFieldText(field, text)) ?? text}
            check={check}
            onSave={(text) => onSave(parseFieldText(field, text))}
            {...(field.type === 'link' && typeof value === 'string' && { className: 'pr-9' })}
          />
          {field.type === 'link' && typeof value === 'string' && <OpenLink label={field.label} href={value} />}
        </div>
      )
  }
}

/** Edits a yes/no field, or a field whose value is one of its options. The value can be removed, unless the field is required. */
function EditSingleChoice({
  field,
  value,
  onSave,
  ...rowProps
}: EditCustomProps & { label: string; placeholder: string }) {
  const isYesNo = field.type === 'yes_no'
  const chosenValue = typeof value === 'boolean' ? `${value}` : typeof value === 'string' ? value : null
  const choices = isYesNo
    ? [
        { value: 'true', label: 'Yes' },
        { value: 'false', label: 'No' },
      ]
    : field.options.filter(({ id, retired }) => !retired || id === value).map(({ id, label }) => ({ value: id, label }))
  const noChoice = chosenValue !== null && !field.required ? [{ value: '', label: '–' }] : []
  const valueFor = (chosen: string) => (isYesNo ? chosen === 'true' : chosen)
  return (
    <EditSelect
      {...rowProps}
      value={chosenValue}
      options={[...choices, ...noChoice]}
      onSave={(chosen) => onSave(chosen === '' ? null : valueFor(chosen))}
    />
  )
}

/** Edits a field whose value is a list of its options. The value is saved when the list of options closes. */
function EditSeveralChoices({
  field,
  value,
  onSave,
  ...rowProps
}: EditCustomProps & { label: string; placeholder: string }) {
  const ids = listOf(value).filter((id) => typeof id === 'string')
  const { shown, error, errorId, choose } = useChoice<readonly string[]>(field.label, ids, (chosen) => {
    if (chosen.length === 0 && field.required) return Promise.resolve(`${field.label} is required`)
    const ordered = field.options.map(({ id }) => id).filter((id) => chosen.includes(id))
    return onSave(ordered.length > 0 ? ordered : null)
  })
  return (
    <EditRow {...rowProps} error={error} errorId={errorId}>
      <Choices
        aria-label={field.label}
        value={shown}
        options={field.options
          .filter(({ id, retired }) => !retired || ids.includes(id))
          .map(({ id, label }) => ({ value: id, label }))}
        onChange={choose}
        placeholder={rowProps.placeholder}
        quiet
      />
    </EditRow>
  )
}

function OpenLink({ label, href }: { label: string; href: string }) {
  return (
    <a
      href={href}
      target="_blank"
      rel="noopener noreferrer"
      aria-label={`Open ${label} (in a new tab)`}
      className="absolute top-0.5 right-0 flex size-7 items-center justify-center rounded-control text-ink3 hover:bg-hover hover:text-ink max-sm:top-2 max-sm:right-2 max-sm:size-11"
    >
      <ExternalIcon />
    </a>
  )
}
