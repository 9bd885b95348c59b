import { useEffect, useRef, useState } from 'react'
import { useDevice } from '#web/data/browser/device.ts'
import { addNote, isNoteInTimeline, type NewNote, type TimelineTable } from '#web/data/notes.ts'
import { openBrand } from '#web/data/store/brand-data.ts'
import { type NoteEntry as Entry, type TimelineEntry, useTimeline } from '#web/data/timeline.ts'
import { newId } from '#web/lib/new-id.ts'
import { Button } from '#web/ui/button.tsx'
import { CloudOffIcon } from '#web/ui/icons.tsx'
import { PanelSection } from '#web/ui/panel-parts.tsx'
import { Skeleton, useSkeleton } from '#web/ui/skeleton.tsx'
import { toast } from '#web/ui/toast.ts'
import { ChangeEntry } from './change-entry.tsx'
import { moveDraft, newNoteDraft } from '#web/crm/move-draft.ts'
import { NoteEntry } from './note-entry.tsx'
import { NoteForm } from './note-form.tsx'
import { emptyNote } from './typed-note.ts'
import { noteKinds } from './note-kinds.tsx'
import { missingNoteId, useScrollToNote } from './use-scroll-to-note.ts'

interface TimelineProps {
  table: TimelineTable
  id: string
}

/** The notes about a record and its changes, newest first, pinned notes on top, and a form for a new note. */
export default function Timeline({ table, id }: TimelineProps) {
  const device = useDevice()
  const { ready, pinned, entries, hasMore, more, hasFailed, nameOf } = useTimeline(table, id)
  const phase = useSkeleton(ready)

  const [addedNoteId, setAddedNoteId] = useState('')
  const isAddedShown = phase === 'content' && [...pinned, ...entries].some(({ key }) => key === `note ${addedNoteId}`)
  useEffect(() => {
    if (isAddedShown) document.getElementById(`note-${addedNoteId}`)?.scrollIntoView({ block: 'nearest' })
  }, [addedNoteId, isAddedShown])

  const linkedNote = useScrollToNote(table, id, phase === 'content')
  // If the linked note is older than the loaded entries, it is shown below the button that loads the entries in between.
  const olderLinkedEntry =
    linkedNote.entry && [...pinned, ...entries].every(({ key }) => key !== linkedNote.entry?.key)
      ? linkedNote.entry
      : null

  async function add(note: NewNote) {
    const noteId = newId()
    setAddedNoteId(noteId)
    const outcome = await addNote(device, table, id, note, noteId)
    if (outcome.status === 'refused') toast.error('Error adding note', { description: outcome.message })
    return outcome.status !== 'refused'
  }

  const [editedNotes, setEditedNotes] = useState<readonly Entry[]>([])
  const onEditing = (entry: Entry, isEditing: boolean) =>
    setEditedNotes((before) => [...before.filter(({ key }) => key !== entry.key), ...(isEditing ? [entry] : [])])
  const data = openBrand(device).get()
  // Notes that are deleted while they are edited stay in the list, so that the typed text is not lost.
  const deletedWhileEdited = editedNotes.filter(
    ({ key, note }) =>
      data &&
      !data.tables.notes.get(note.id) &&
      isNoteInTimeline(data, table, id, note) &&
      [...pinned, ...entries].every((entry) => entry.key !== key),
  )

  const noteDraft = newNoteDraft(id)
  const newNote = useRef<HTMLDivElement>(null)
  const [movedCount, setMovedCount] = useState(0)
  /** Moves the text of a deleted note to the form for a new note, because the note cannot be edited any more. */
  function keepText(draft: string) {
    if (!moveDraft(device, draft, noteDraft)) return
    setMovedCount(movedCount + 1)
    toast.success('Your text is kept', {
      description: 'The note was deleted. Your text is in the field for a new note.',
    })
  }
  useEffect(() => {
    if (movedCount > 0) newNote.current?.querySelector('textarea')?.focus()
  }, [movedCount])

  const entryView = (entry: TimelineEntry) =>
    entry.kind === 'note' ? (
      <NoteEntry
        entry={entry}
        about={{ table, id }}
        nameOf={nameOf}
        isDeleted={deletedWhileEdited.includes(entry)}
        onEditing={(isEditing) => onEditing(entry, isEditing)}
        onAdd={add}
        onLeave={keepText}
      />
    ) : (
      <ChangeEntry entry={entry} aboutId={id} nameOf={nameOf} />
    )

  return (
    <PanelSection title="Timeline">
      <div ref={newNote} className="contents">
        <NoteForm
          key={`${id} ${movedCount}`}
          initial={emptyNote}
          draft={noteDraft}
          submit={(kind) => (kind === 'note' ? 'Add note' : `Log ${noteKinds[kind].label.toLowerCase()}`)}
          onSubmit={add}
        />
      </div>
      {hasFailed && (
        <p className="flex items-center gap-2 py-1 text-warn">
          <CloudOffIcon />
          Earlier entries may be missing without a connection
        </p>
      )}
      {phase === 'skeleton' && <TimelineSkeleton />}
      {phase === 'content' && pinned.length + entries.length === 0 && !hasFailed && !olderLinkedEntry && (
        <p className="py-1 text-ink3">Nothing yet: notes, calls and changes will be listed here</p>
      )}
      {phase === 'content' && linkedNote.missing && (
        <p id={missingNoteId} role="status" className="rounded-control bg-hover px-3 py-2 text-ink2">
          The note that this link leads to was deleted.
        </p>
      )}
      {phase === 'content' && (
        <ul className="flex flex-col gap-2 pt-1">
          {/* A single list, so that a note that changes its position keeps the focus. */}
          {[
            ...deletedWhileEdited,
            ...pinned,
            ...entries,
            ...(hasMore ? [null] : []),
            ...(olderLinkedEntry ? [olderLinkedEntry] : []),
          ].map((entry) =>
            entry ? (
              <li key={entry.key}>{entryView(entry)}</li>
            ) : (
              <li key="more" className="flex justify-center">
                <Button variant="quiet" onClick={more}>
                  Show more
                </Button>
              </li>
            ),
          )}
        </ul>
      )}
    </PanelSection>
  )
}

function TimelineSkeleton() {
  return (
    <div aria-busy="true" className="flex flex-col gap-3 py-1">
      {['w-4/5', 'w-3/5', 'w-2/3'].map((width) => (
        <div key={width} className="flex items-center gap-2.5">
          <Skeleton className="size-5 rounded-full" />
          <Skeleton className={`h-4 ${width}`} />
        </div>
      ))}
    </div>
  )
}
