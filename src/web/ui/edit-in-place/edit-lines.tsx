import { useId } from 'react'
import { EditRow } from './edit-row.tsx'
import { type Save, useEdit } from './use-edit.ts'

/** Several lines of text, edited where they stand. Ctrl or Cmd with Enter saves, Escape restores, leaving it saves. */
export function EditLines(props: { label: string; value: string | null; save: Save<string>; maxLength?: number }) {
  const { label, value, save, maxLength } = props
  const id = useId()
  const edit = useEdit(value ?? '', save)
  return (
    <EditRow label={label} controlId={id} error={edit.error} errorId={edit.errorId}>
      <textarea
        id={id}
        data-edit=""
        rows={2}
        maxLength={maxLength}
        placeholder="–"
        aria-invalid={edit.error ? true : undefined}
        aria-describedby={edit.error ? edit.errorId : undefined}
        value={edit.text}
        onChange={(event) => edit.setDraft(event.target.value)}
        onBlur={() => void edit.commit()}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void edit.commit()
          else if (event.key === 'Escape' && edit.isEdited) edit.restore()
          else return
          event.preventDefault()
          event.stopPropagation()
        }}
        className="edit-frame field-sizing-content max-h-72 min-h-8 w-full resize-none rounded-control bg-transparent px-2 py-1.5 text-sm text-ink placeholder:text-ink3 max-sm:min-h-11 max-sm:text-[16px]"
      />
    </EditRow>
  )
}
