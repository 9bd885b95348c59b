import type { ReactNode } from 'react'
import { Combobox, type ComboboxOption } from '#web/ui/combobox.tsx'
import { useChoice } from './edit-choice.tsx'
import { EditRow, type Saved } from './edit-row.tsx'

export interface EditRecordProps {
  label: string
  value: ComboboxOption | null
  /** The answers to the text last given to `onSearch`. */
  options: readonly ComboboxOption[]
  onSearch: (text: string) => void
  loading?: boolean
  onSave: (id: string | null) => Saved
  placeholder?: string
  leading?: (option: ComboboxOption) => ReactNode
  icon?: ReactNode
  /** At its right while something is chosen: the way to that record. */
  link?: ReactNode
}

/** Another record that this one is linked to, found by typing where it stands; the cross takes the link away. */
export function EditRecord(props: EditRecordProps) {
  const { label, value, options, onSearch, loading, onSave, placeholder = '–', leading, icon, link } = props
  const { shown, error, errorId, choose } = useChoice(value, (option) => onSave(option?.id ?? null))
  return (
    <EditRow label={label} error={error} errorId={errorId}>
      <div className="flex items-center gap-1">
        <Combobox
          value={shown}
          onChange={choose}
          onSearch={onSearch}
          options={options}
          loading={loading ?? false}
          placeholder={placeholder}
          size="control"
          aria-label={label}
          className="field-quiet flex-1"
          {...(leading ? { leading } : {})}
          {...(icon && !shown ? { icon } : {})}
        />
        {shown && link}
      </div>
    </EditRow>
  )
}
