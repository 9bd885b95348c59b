import { type Control, type FieldPathByValue, type FieldValues, useController } from 'react-hook-form'
import { Combobox } from '#web/ui/combobox.tsx'
import type { Choice, SearchedChoices } from '#web/lib/choice.ts'
import { Field } from '#web/ui/field.tsx'
import { comboboxProps, type RecordKind, recordKinds } from './record-kinds.tsx'

interface RecordPickerProps<Typed extends FieldValues, Checked> {
  /** The form's control. `name` is the field whose value is the chosen record, or null. */
  control: Control<Typed, unknown, Checked>
  name: FieldPathByValue<Typed, Choice | null>
  kind: RecordKind
  choices: SearchedChoices
  hint?: string | null
  /** Called after a record was chosen, and with null after the field was emptied. */
  onChosen?: (choice: Choice | null) => void
}

/** A form field that searches for a record to link. */
export function RecordPicker<Typed extends FieldValues, Checked>(props: RecordPickerProps<Typed, Checked>) {
  const { control, name, kind, choices, hint, onChosen } = props
  const { label, icon, leading } = recordKinds[kind]
  const { field, fieldState } = useController({ control, name })
  const { value, onChange } = field
  return (
    <Field label={label} hint={hint} error={fieldState.error?.message}>
      <Combobox
        fieldRef={field.ref}
        value={value}
        onChange={(choice) => {
          onChange(choice)
          onChosen?.(choice)
        }}
        onLeft={(typed) => onChange({ id: '', label: typed })}
        {...comboboxProps(choices)}
        placeholder={`Search ${kind}…`}
        icon={icon}
        leading={(option) => (option.id ? leading(option) : icon)}
      />
    </Field>
  )
}
