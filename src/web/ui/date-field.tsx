import { useState } from 'react'
import { type Control, type FieldPathByValue, type FieldValues, useController } from 'react-hook-form'
import { typedProblem } from '#web/lib/typed-date.ts'
import { DateInput } from './date-input.tsx'
import { Field } from './field.tsx'
import { fieldHeight } from './input.tsx'

interface DateFieldProps<Typed extends FieldValues, Checked> {
  /** The form, and the name of the value: the text as typed. */
  control: Control<Typed, unknown, Checked>
  name: FieldPathByValue<Typed, string>
  label: string
  withTime?: boolean
}

/**
 * A date field of a form. When the field is left with an unreadable text, an error is shown below. The form's schema refuses such a text,
 * too.
 */
export function DateField<Typed extends FieldValues, Checked>(props: DateFieldProps<Typed, Checked>) {
  const { control, name, label, withTime = false } = props
  const { field, fieldState } = useController({ control, name })
  const [isLeft, setLeft] = useState(false)
  const problem = isLeft ? typedProblem(field.value, withTime) : null
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
        className={fieldHeight.form}
        inputClass="pl-3 pr-2 text-base"
      />
    </Field>
  )
}
