import { type ReactNode, useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { useDevice } from '#web/data/browser/device.ts'
import type { TimelineTable } from '#web/data/notes.ts'
import { usePeople } from '#web/data/people/people.ts'
import { openBrand } from '#web/data/store/brand-data.ts'
import { storeFormDraft } from '#web/data/store/drafts.ts'
import { NotesIcon } from '#web/ui/icons.tsx'
import { FirstNote } from './first-note.tsx'
import type { MentionedPerson } from './mentions.ts'
import { NewRecordTags } from './new-record-tags.tsx'
import { idsOf, saveTagsAndNote } from './save-tags-and-note.ts'
import { tagsAndNoteDraftName } from './submitted-draft.ts'
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
  const [data] = useState(() => openBrand(device).get())
  const form = useForm<TypedTagsAndNote>({ defaultValues: emptyValues })
  const { control, register, getValues, setValue, reset } = form
  // `useWatch` must be called before `useDraft`. Otherwise it misses the values that the draft sets.
  const [tags, note] = useWatch({ control, name: ['tags', 'note'] })
  useDraft(form, draft && tagsAndNoteDraftName(draft), emptyValues)
  const [isOpen, setOpen] = useState(false)
  const [mentioned, setMentioned] = useState<readonly MentionedPerson[]>([])
  const ids = idsOf(tags)

  const setTag = (tagId: string, isAdded: boolean) => {
    const otherIds = idsOf(getValues('tags')).filter((each) => each !== tagId)
    setValue('tags', [...otherIds, ...(isAdded ? [tagId] : [])].join(' '))
  }
  const save = (id: string, run: <Result>(act: () => Result) => Result) => {
    saveTagsAndNote(device, table, id, { tags, note, members, mentioned }, run)
    reset(emptyValues)
    // If the page was left meanwhile, the reset does not delete the draft.
    if (data && draft !== null) storeFormDraft(device, data, tagsAndNoteDraftName(draft), null)
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
