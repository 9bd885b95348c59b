import { useState } from 'react'
import { limits } from '#shared/limits.ts'
import { isPartOfLabel } from '#web/data/query/search-text.ts'
import type { Choice } from '#web/lib/choice.ts'
import { Combobox } from '#web/ui/combobox.tsx'
import { EditRow, type SaveResult } from '#web/ui/edit-in-place/edit-row.tsx'
import { useChoice } from '#web/ui/edit-in-place/use-choice.ts'

const label = 'Lost reason'

interface EditLostReasonProps {
  value: string | null
  /** The lost reasons of the deal's pipeline. */
  reasons: readonly string[]
  onSave: (reason: string | null) => SaveResult
}

/** Edits why a deal was lost: one of the pipeline's lost reasons, or another text. */
export function EditLostReason({ value, reasons, onSave }: EditLostReasonProps) {
  const [search, setSearch] = useState('')
  const { shown, error, errorId, choose } = useChoice(label, value ? choiceOf(value) : null, (choice) =>
    onSave(choice?.id ?? null),
  )
  const addition = {
    offer: (text: string) => ({ name: text.slice(0, limits.deals.lost_reason) }),
    make: async (text: string) => ({ id: text.slice(0, limits.deals.lost_reason) }),
    failure: 'Error saving lost reason',
    hint: 'Type one',
  }
  return (
    <EditRow label={label} error={error} errorId={errorId}>
      <Combobox
        value={shown}
        onChange={choose}
        onLeft={(text) => choose(choiceOf(text.slice(0, limits.deals.lost_reason)))}
        onSearch={setSearch}
        options={reasons.filter((reason) => isPartOfLabel(reason, search)).map(choiceOf)}
        addition={addition}
        placeholder={shown ? 'Choose or type…' : 'Add'}
        size="control"
        aria-label={label}
        className="field-quiet"
      />
    </EditRow>
  )
}

function choiceOf(reason: string): Choice {
  return { id: reason, label: reason }
}
