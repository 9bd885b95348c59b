import { useState } from 'react'
import { type Control, type FieldPathByValue, type FieldValues, useController } from 'react-hook-form'
import { typedProblem } from '#web/lib/typed-date.ts'
import { DateInput } from './date-input.tsx'
import { Field } from './field.tsx'
import { fieldHeightClasses } from './input.tsx'

interface DateFieldProps<Typed extends FieldValues, Checked> {
  /** The form's control. `name` is the field whose value is the typed text. */
  control: Control<Typed, unknown, Checked>
  name: FieldPathByValue<Typed, string>
  label: string
  withTime?: boolean
}

/**
 * A date field in a form. If the person leaves the field with a text that is not a date, an error is shown below. The form's schema
 * refuses such a text, too.
 */
export function DateField<Typed extends FieldValues, Checked>(props: DateFieldProps<Typed, Checked>) {
  const { control, name, label, withTime = false } = props
  const { field, fieldState } = useController({ control, name })
  const [hasLeft, setLeft] = useState(false)
  const problem = hasLeft ? typedProblem(field.value, withTime) : null
  return (
    <Field label={label} error={fieldState.error?.message ?? problem}>
      <DateInput
        fieldRef={field.ref}
        text={field.value}
        onText={(text) => {
          setLeft(false)
          field.onChange(text)
        }}
        onLeave={(text) => {
          setLeft(true)
          if (text !== field.value) field.onChange(text)
          field.onBlur()
        }}
        withTime={withTime}
        className={fieldHeightClasses.form}
        inputClass="pl-3 pr-2 text-base"
      />
    </Field>
  )
}
