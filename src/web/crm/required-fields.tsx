import { type ReactNode, useRef, useState } from 'react'
import { type CustomTable, useCustomFields } from '#web/data/custom-fields.ts'
import type { CustomField } from '#web/data/server/rows.ts'
import { type CustomPath, customPath } from '#web/data/store/row-fields.ts'
import { listOf } from '#web/lib/read-unknown.ts'
import { Choices } from '#web/ui/choices.tsx'
import { DateInput } from '#web/ui/date-input.tsx'
import { Field, FieldNeed } from '#web/ui/field.tsx'
import { fieldHeightClasses, Input } from '#web/ui/input.tsx'
import { Select } from '#web/ui/select.tsx'
import { Textarea } from '#web/ui/textarea.tsx'
import { maxCustomTextLengths, fieldProblem, fieldText, parseFieldText } from './custom-value.ts'

/** What the person has typed or chosen in each field, by the field's id. */
export type TypedValues = Readonly<Record<string, string | readonly string[]>>

/** The values of a new record's custom fields, by the path of the field in the row (`customPath`). */
export type CustomValues = { [path: CustomPath]: unknown }

/**
 * The required custom fields of a form for a new record. `inputs` are the rendered fields. `read` returns their values, or null if a value
 * is missing or wrong; then the fields show their errors. `before`: the values of a refused record that is being corrected.
 */
export function useRequiredFields(
  table: CustomTable,
  before?: Readonly<Record<string, unknown>>,
): {
  inputs: ReactNode
  read: () => CustomValues | null
  reset: () => void
} {
  const fields = useCustomFields(table).filter(({ required }) => required)
  const [typed, setTyped] = useState<TypedValues>(() => typedFromRecord(fields, before))
  const [hasBeenRead, setRead] = useState(false)
  const box = useRef<HTMLDivElement>(null)
  const read = () => {
    setRead(true)
    if (fields.every((field) => problemOf(field, typed[field.id]) === null))
      return Object.fromEntries(fields.map((field) => [customPath(field.id), enteredValue(field, typed[field.id])]))
    // The timer runs after the errors are rendered. Then the first invalid control gets the focus.
    setTimeout(() => box.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus())
    return null
  }
  const reset = () => {
    setTyped({})
    setRead(false)
  }
  const inputs = fields.length > 0 && (
    <div ref={box} className="contents">
      {fields.map((field) => (
        <RequiredField
          key={field.id}
          field={field}
          typed={typed[field.id]}
          onType={(value) => setTyped((old) => ({ ...old, [field.id]: value }))}
          error={hasBeenRead ? problemOf(field, typed[field.id]) : null}
        />
      ))}
    </div>
  )
  return { inputs, read, reset }
}

function typedFromRecord(fields: readonly CustomField[], before: Readonly<Record<string, unknown>> = {}): TypedValues {
  const fieldsWithValue = fields.filter(({ id }) => before[id] !== undefined)
  return Object.fromEntries(fieldsWithValue.map((field) => [field.id, typedFrom(field, before[field.id])]))
}

function typedFrom(field: CustomField, value: unknown): TypedValues[string] {
  if (field.type === 'yes_no') return value === true ? 'yes' : 'no'
  return field.type === 'choices' ? listOf(value).filter((id) => typeof id === 'string') : fieldText(field, value)
}

function problemOf(field: CustomField, typed: TypedValues[string] | undefined): string | null {
  return inputProblem(field, typed) ?? (enteredValue(field, typed) === null ? `${field.label} is required` : null)
}

/** Returns the message that says what is wrong with the input of a field. Null if it is valid. An empty input is valid. */
export function inputProblem(field: CustomField, typed: TypedValues[string] | undefined): string | null {
  return typeof typed === 'string' && !isChosenFromOptions(field) ? fieldProblem(field, typed) : null
}

/** Returns the value that the person has typed or chosen for a field. Null if there is none. */
export function enteredValue(field: CustomField, typed: TypedValues[string] | undefined): unknown {
  if (typed === undefined || typed.length === 0) return null
  if (typeof typed !== 'string') return field.options.map(({ id }) => id).filter((id) => typed.includes(id))
  if (field.type === 'yes_no') return typed === 'yes'
  return field.type === 'choice' ? typed : parseFieldText(field, typed)
}

/** Whether the value of a field is chosen from options rather than typed. */
export function isChosenFromOptions({ type }: CustomField): boolean {
  return type === 'yes_no' || type === 'choice' || type === 'choices'
}

interface RequiredFieldProps {
  field: CustomField
  typed: TypedValues[string] | undefined
  onType: (typed: TypedValues[string]) => void
  error: string | null
}

function RequiredField({ field, typed = '', onType, error }: RequiredFieldProps) {
  const isWide = field.type === 'long_text' || field.type === 'link'
  return (
    <Field label={field.label} aside={<FieldNeed />} error={error} {...(isWide && { className: 'col-span-full' })}>
      {customFieldControl(field, typed, onType)}
    </Field>
  )
}

/** Renders the control of a custom field, without its label and error: place it inside a Field. */
export function customFieldControl(
  field: CustomField,
  typed: TypedValues[string],
  onType: (typed: TypedValues[string]) => void,
  isRequired = true,
): ReactNode {
  const options = field.options.filter(({ retired }) => !retired).map(({ id, label }) => ({ value: id, label }))
  if (typeof typed !== 'string' || field.type === 'choices')
    return <Choices value={typeof typed === 'string' ? [] : typed} options={options} onChange={onType} />
  const length = maxCustomTextLengths[field.type]
  const text = { value: typed, 'aria-required': isRequired, autoComplete: 'off', ...(length && { maxLength: length }) }
  switch (field.type) {
    case 'yes_no':
      return <Select value={typed || null} options={yesOrNo} onChange={onType} />
    case 'choice':
      return <Select value={typed || null} options={options} onChange={onType} />
    case 'date':
      return (
        <DateInput
          text={typed}
          onText={onType}
          fullYear
          className={fieldHeightClasses.form}
          inputClass="pl-3 pr-2 text-base"
        />
      )
    case 'long_text':
      return <Textarea {...text} onChange={({ target }) => onType(target.value)} />
    default:
      return (
        <Input
          {...text}
          onChange={({ target }) => onType(target.value)}
          inputMode={field.type === 'link' ? 'url' : field.type === 'text' ? 'text' : 'decimal'}
          {...(field.type === 'money' && { placeholder: field.currency ?? 'GBP' })}
        />
      )
  }
}

const yesOrNo = [
  { value: 'yes', label: 'Yes' },
  { value: 'no', label: 'No' },
]
