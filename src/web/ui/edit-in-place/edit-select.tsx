import type { ReactNode } from 'react'
import { Select, type SelectOption } from '#web/ui/select.tsx'
import { useChoice } from './use-choice.ts'
import { EditRow, type SaveResult } from './edit-row.tsx'

export interface EditSelectProps<Value extends string> {
  label: string
  /** An icon before the label, only on the phone. */
  icon?: ReactNode
  value: Value | null
  options: readonly SelectOption<Value>[]
  onSave: (value: Value) => SaveResult
  placeholder?: string
}

/** A value that is chosen in place from a few options. */
export function EditSelect<Value extends string>(props: EditSelectProps<Value>) {
  const { label, icon, value, options, onSave, placeholder = 'Add' } = props
  const { shown, error, errorId, choose } = useChoice<Value | null>(label, value, (chosen) =>
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
