import type { ReactNode } from 'react'
import { Select, type SelectOption } from '#web/ui/select.tsx'
import { useChoice } from './use-choice.ts'
import { EditRow, type SaveResult } from './edit-row.tsx'

export interface EditSelectProps<Value extends string> {
  label: string
  /** Before the label on the phone, where it replaces the icon of the chosen value. */
  icon?: ReactNode
  value: Value | null
  options: readonly SelectOption<Value>[]
  onSave: (value: Value) => SaveResult
  placeholder?: string
}

/** One of a few values, chosen in place. */
export function EditSelect<Value extends string>(props: EditSelectProps<Value>) {
  const { label, icon, value, options, onSave, placeholder = 'Add' } = props
  const { shown, error, errorId, choose } = useChoice<Value | null>(value, (chosen) =>
    chosen === null ? undefined : onSave(chosen),
  )
  return (
    <EditRow label={label} icon={icon} error={error} errorId={errorId}>
      <Select
        value={shown}
        options={options}
        onChange={choose}
        placeholder={placeholder}
        size="control"
        aria-label={label}
        className="field-quiet"
      />
    </EditRow>
  )
}
