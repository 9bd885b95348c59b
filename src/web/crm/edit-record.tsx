import type { SearchedChoices } from '#web/lib/choice.ts'
import { useNarrow } from '#web/lib/use-narrow.ts'
import { Combobox } from '#web/ui/combobox.tsx'
import { offered, type RecordKind, recordKinds } from './record-kinds.tsx'
import { useChoice } from '#web/ui/edit-in-place/edit-choice.tsx'
import { EditRow, type Saved } from '#web/ui/edit-in-place/edit-row.tsx'
import { OpenRecord } from './open-record.tsx'

export interface EditRecordProps {
  kind: RecordKind
  id: string | null
  /** Null where it has none, or is not known here. */
  name: string | null
  onSave: (id: string | null) => Saved
  found: SearchedChoices
}

/** Another record that this one is linked to, found by typing where it stands; the cross takes the link away, the arrow leads there. */
export function EditRecord({ kind, id, name, onSave, found }: EditRecordProps) {
  const { label, icon, leading } = recordKinds[kind]
  const phone = useNarrow()
  const value = id === null ? null : { id, label: name ?? '?' }
  const { shown, error, errorId, choose } = useChoice(value, (option) => onSave(option?.id ?? null))
  return (
    <EditRow label={label} icon={icon} error={error} errorId={errorId}>
      <div className="flex items-center gap-1">
        <Combobox
          value={shown}
          onChange={choose}
          {...offered(found)}
          placeholder={shown ? 'Search…' : 'Add'}
          size="control"
          aria-label={label}
          className="field-quiet flex-1"
          bare={phone}
          leading={leading}
        />
        {shown && <OpenRecord kind={kind} record={shown} />}
      </div>
    </EditRow>
  )
}
