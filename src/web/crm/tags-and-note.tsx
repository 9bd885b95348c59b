import { type ReactNode, useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { useDevice } from '#web/data/browser/device.ts'
import { setTags } from '#web/data/change-tags.ts'
import { addNote, type TimelineTable } from '#web/data/notes.ts'
import { usePeople } from '#web/data/people/people.ts'
import type { Outcome } from '#web/data/session/outcome.ts'
import { NotesIcon } from '#web/ui/icons.tsx'
import { toast } from '#web/ui/toast.ts'
import { FirstNote } from './first-note.tsx'
import { type MentionedPerson, noteTooLongMessage, storedText } from './mentions.ts'
import { NewRecordTags } from './new-record-tags.tsx'
import { useDraft } from './use-draft.ts'

interface TypedTagsAndNote {
  /** The ids of the chosen tags, separated by spaces, because drafts store only texts. */
  tags: string
  note: string
}

const emptyValues: TypedTagsAndNote = { tags: '', note: '' }

/**
 * Adds tags and a first note to the form for a new record. Until the person uses them, only two small buttons are shown. `draft`: the name
 * of the form's draft; null while a refused record is corrected, because its tags and note are already in the outbox.
 */
export function useTagsAndNote(
  table: TimelineTable,
  draft: string | null,
): {
  /** The inputs for tags and note, as a row of the form's grid. */
  inputs: ReactNode
  isDirty: boolean
  /**
   * Adds the tags and the note to the new record with this id. The edits start before this function returns. `run` of `beginUndoable` puts
   * them into the same undo step as the record.
   */
  save: (id: string, run: <Result>(act: () => Result) => Result) => void
} {
  const device = useDevice()
  const { members } = usePeople()
  const form = useForm<TypedTagsAndNote>({ defaultValues: emptyValues })
  const { control, register, getValues, setValue, reset } = form
  // `useWatch` must be called before `useDraft`. Otherwise it misses the values that the draft sets.
  const [tags, note] = useWatch({ control, name: ['tags', 'note'] })
  useDraft(form, draft && `${draft} tags and note`, emptyValues)
  const [isOpen, setOpen] = useState(false)
  const [mentioned, setMentioned] = useState<readonly MentionedPerson[]>([])
  const ids = idsOf(tags)

  const setTag = (tagId: string, isAdded: boolean) => {
    const otherIds = idsOf(getValues('tags')).filter((each) => each !== tagId)
    setValue('tags', [...otherIds, ...(isAdded ? [tagId] : [])].join(' '))
  }
  const save = (id: string, run: <Result>(act: () => Result) => Result) => {
    const stored = storedText(note, members, mentioned).trim()
    // If the mentions make the note too long, they stay plain text.
    const body = noteTooLongMessage(stored) ? note.trim() : stored
    const add = idsOf(tags)
    if (add.length > 0)
      showRefusal(
        run(() => setTags(device, table, id, { add, remove: [] })),
        'Error adding tag',
      )
    if (body)
      showRefusal(
        run(() => addNote(device, table, id, { kind: 'note', body, occurred_at: null })),
        'Error adding note',
      )
    reset(emptyValues)
    setOpen(false)
  }
  const inputs = draft !== null && (
    <div className="col-span-full flex flex-col gap-4 max-sm:order-2">
      {(isOpen || note !== '') && <FirstNote {...register('note')} autoFocus={isOpen} onMentions={setMentioned} />}
      <div className="flex flex-wrap items-center gap-x-2 gap-y-2">
        <NewRecordTags ids={ids} onSet={setTag} />
        {!isOpen && note === '' && (
          <button
            type="button"
            onClick={() => setOpen(true)}
            className="relative flex h-5 items-center gap-1 rounded-badge px-1.5 text-xs text-ink3 ring-1 ring-line2 ring-inset hover:bg-hover hover:text-ink max-sm:h-8 max-sm:px-2.5 max-sm:text-13 max-sm:before:absolute max-sm:before:-inset-1.5"
          >
            <NotesIcon className="size-3.5" />
            Add a note
          </button>
        )}
      </div>
    </div>
  )
  return { inputs, isDirty: draft !== null && (tags !== '' || note.trim() !== ''), save }
}

function idsOf(tags: string): string[] {
  return tags.split(' ').filter(Boolean)
}

function showRefusal(saved: Promise<Outcome>, title: string): void {
  void saved.then((outcome) => outcome.status === 'refused' && toast.error(title, { description: outcome.message }))
}
