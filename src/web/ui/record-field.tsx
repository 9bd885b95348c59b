import { Combobox } from './combobox.tsx'
import type { ComboboxOption } from './combobox-option.ts'
import { Field } from './field.tsx'
import { type FoundRecords, type RecordKind, recordKinds } from './record-kinds.tsx'

interface RecordFieldProps {
  kind: RecordKind
  value: ComboboxOption | null
  onChange: (value: ComboboxOption | null) => void
  found: FoundRecords
}

/** A field of a form that names another record, found by typing. */
export function RecordField({ kind, value, onChange, found }: RecordFieldProps) {
  const { label, icon, leading } = recordKinds[kind]
  return (
    <Field label={label}>
      <Combobox
        value={value}
        onChange={onChange}
        onSearch={found.onSearch}
        options={found.choices}
        addition={found.addition}
        loading={!found.ready}
        placeholder={`Search ${kind}…`}
        icon={icon}
        leading={leading}
      />
    </Field>
  )
}
