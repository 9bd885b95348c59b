import type { SearchedChoices } from '#web/lib/choice.ts'
import { useNarrow } from '#web/lib/use-narrow.ts'
import { Combobox } from '#web/ui/combobox.tsx'
import { comboboxProps, type RecordKind, recordKinds } from './record-kinds.tsx'
import { useChoice } from '#web/ui/edit-in-place/use-choice.ts'
import { EditRow, type SaveResult } from '#web/ui/edit-in-place/edit-row.tsx'
import { OpenRecordLink } from './open-record-link.tsx'

export interface EditRecordProps {
  kind: RecordKind
  id: string | null
  /** The name of the linked record. Null if it has no name or is not on this device. */
  name: string | null
  onSave: (id: string | null) => SaveResult
  choices: SearchedChoices
}

/**
 * A field for a linked record, edited in place. The person searches for the record; the cross removes the link; the arrow opens the
 * record.
 */
export function EditRecord({ kind, id, name, onSave, choices }: EditRecordProps) {
  const { label, icon, leading } = recordKinds[kind]
  const isNarrow = useNarrow()
  const value = id === null ? null : { id, label: name ?? '?' }
  const { shown, error, errorId, choose } = useChoice(label, value, (option) => onSave(option?.id ?? null))
  return (
    <EditRow label={label} icon={icon} error={error} errorId={errorId}>
      <div className="flex items-center gap-1">
        <Combobox
          value={shown}
          onChange={choose}
          {...comboboxProps(choices)}
          placeholder={shown ? 'Search…' : 'Add'}
          size="control"
          aria-label={label}
          className="field-quiet flex-1"
          bare={isNarrow}
          leading={leading}
        />
        {shown && <OpenRecordLink kind={kind} record={shown} />}
      </div>
    </EditRow>
  )
}
