import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { deleteWithUndo } from '#web/crm/delete-with-undo.ts'
import { typedText } from '#web/crm/mentions.ts'
import { NoteBody } from '#web/crm/note-body.tsx'
import { draftName } from '#web/crm/use-draft.ts'
import { useDevice } from '#web/data/browser/device.ts'
import { editNote, type NewNote, pinNote } from '#web/data/notes.ts'
import { usePeople } from '#web/data/people/people.ts'
import { openBrand } from '#web/data/store/brand-data.ts'
import { storeFormDraft, readFormDraft } from '#web/data/store/drafts.ts'
import { typedTextOf } from '#web/lib/typed-date.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { Button } from '#web/ui/button.tsx'
import { giveFocus } from '#web/ui/focus.ts'
import { IconButton } from '#web/ui/icon-button.tsx'
import { CloudOffIcon, DeleteIcon, EditIcon, MoreIcon, PinIcon, UnpinIcon } from '#web/ui/icons.tsx'
import { Menu, MenuItem } from '#web/ui/menu.tsx'
import { toast } from '#web/ui/toast.ts'
import { useBackCloses } from '#web/ui/use-back-closes.ts'
import { CopyNoteLink } from './copy-note-link.tsx'
import { NoteForm } from './note-form.tsx'
import { noteKinds } from './note-kinds.tsx'
import { NoteLinks, type NoteLinksProps } from './note-links.tsx'
import { TimeAgo } from './time-ago.tsx'
import { useEscape } from './use-escape.ts'

interface NoteEntryProps extends NoteLinksProps {
  /** True if the note was deleted while it was edited. Then its text can be added as a new note. */
  isDeleted: boolean
  /** Called when the editing of the note begins and ends. */
  onEditing: (isEditing: boolean) => void
  /** Adds a note. Resolves to false if the note was refused. */
  onAdd: (note: NewNote) => Promise<boolean>
  /** Called with the name of the draft if the form of a deleted note is left. */
  onLeave: (draft: string) => void
}

/** A note, or a logged call, meeting or email: its author and time, its text and its actions. */
export function NoteEntry({ entry, about, nameOf, isDeleted, onEditing, onAdd, onLeave }: NoteEntryProps) {
  const { note, waiting, canEdit } = entry
  const device = useDevice()
  const people = usePeople()
  const [isEditing, setEditing] = useState(false)
  const draft = draftName('note', { edit: { id: note.id, label: '' } })
  const hasDraft = () => {
    const data = openBrand(device).get()
    return data !== null && readFormDraft(device, data, draft) !== undefined
  }
  const [hasUnsavedEdit, setHasUnsavedEdit] = useState(hasDraft)
  const article = useRef<HTMLElement>(null)
  const menuButton = useRef<HTMLButtonElement>(null)
  const authorName = people.byId(note.author_id)?.name ?? 'Somebody'
  const { icon, label } = noteKinds[note.kind]

  /** Ends the editing. The changed text stays a draft unless it was saved or cancelled. */
  function endEdit() {
    // The focus goes to the button of the note's menu.
    flushSync(() => {
      setEditing(false)
      setHasUnsavedEdit(hasDraft())
    })
    menuButton.current?.focus()
    if (isDeleted) onLeave(draft)
  }
  // The panel may be closed, or another record opened.
  const leaveWithPanel = useEffectEvent(() => isEditing && isDeleted && onLeave(draft))
  useEffect(() => () => void leaveWithPanel(), [])
  const [isAdding, setAdding] = useState(false)
  const report = useEffectEvent(onEditing)
  useEffect(() => {
    if (!isEditing) return
    report(true)
    return () => report(false)
  }, [isEditing])
  useBackCloses(isEditing, endEdit)
  useEscape(isEditing, endEdit)

  async function save({ occurred_at, ...changed }: NewNote) {
    endEdit()
    const outcome = await editNote(device, note.id, { ...changed, ...(occurred_at && { occurred_at }) })
    if (outcome.status !== 'refused') return true
    toast.error('Error changing note', { description: outcome.message })
    const data = openBrand(device).get()
    const when = typedTextOf(occurred_at ?? note.occurred_at)
    if (data) storeFormDraft(device, data, draft, { kind: changed.kind, body: typedText(changed.body).text, when })
    setHasUnsavedEdit(hasDraft())
    return false
  }

  /** Adds the text of a deleted note as a new one. The form is hidden meanwhile, and has the text again if the note is refused. */
  async function addAgain(typed: NewNote) {
    setAdding(true)
    const isAdded = await onAdd(typed)
    setAdding(false)
    if (isAdded) setEditing(false)
    return isAdded
  }

  function remove() {
    const heading = article.current?.closest('section')?.querySelector('h3')
    deleteWithUndo(device, 'notes', [note.id], label.toLowerCase())
    if (!heading) return
    heading.tabIndex = -1
    heading.style.outline = 'none'
    giveFocus(heading)
  }

  if (isEditing)
    return (
      <div hidden={isAdding}>
        {isDeleted && (
          <p role="status" className="px-1 pb-2 text-ink2">
            This note was deleted while you edited it. You can add your text as a new note.
          </p>
        )}
        <NoteForm
          initial={{ kind: note.kind, body: note.body, when: typedTextOf(note.occurred_at) }}
          draft={draft}
          isEdit
          submit={() => (isDeleted ? 'Add note' : 'Save')}
          onSubmit={isDeleted ? addAgain : save}
          onCancel={endEdit}
        />
      </div>
    )
  return (
    <article
      ref={article}
      id={`note-${note.id}`}
      aria-label={`${label} by ${authorName}`}
      className="group flex scroll-my-4 flex-col gap-1.5 rounded-card bg-surface px-3 pt-2 pb-2.5 shadow-card max-sm:px-4 max-sm:py-3"
    >
      <div className="flex min-h-7 items-center gap-2">
        <Avatar name={authorName} size={20} />
        <span className="min-w-0 truncate font-medium">{authorName}</span>
        {note.kind !== 'note' && (
          <span className="flex shrink-0 items-center gap-1.5 text-ink2 [&>svg]:size-3.5">
            {icon}
            {label}
          </span>
        )}
        <span className="flex-1" />
        {note.pinned && <PinIcon role="img" aria-label="Pinned" className="size-3.5 shrink-0 text-ink3" />}
        {waiting && <CloudOffIcon role="img" aria-label="Not sent yet" className="size-3.5 shrink-0 text-warn" />}
        <TimeAgo at={note.occurred_at} />
        <Menu
          label={`${label} by ${authorName}`}
          trigger={
            <IconButton
              ref={menuButton}
              label={`Actions of this ${label.toLowerCase()}`}
              tooltip={false}
              size={24}
              icon={<MoreIcon />}
              className="-mr-1.5 sm:opacity-0 pointer-coarse:opacity-100! sm:group-focus-within:opacity-100 sm:group-hover:opacity-100 sm:aria-expanded:opacity-100"
            />
          }
        >
          {canEdit && (
            <MenuItem icon={<EditIcon />} onSelect={() => setEditing(true)}>
              Edit
            </MenuItem>
          )}
          <MenuItem
            icon={note.pinned ? <UnpinIcon /> : <PinIcon />}
            onSelect={() => void pinNote(device, note.id, !note.pinned)}
          >
            {note.pinned ? 'Unpin' : 'Pin to top'}
          </MenuItem>
          {!waiting && <CopyNoteLink id={note.id} about={about} />}
          {entry.canDelete && (
            <MenuItem danger icon={<DeleteIcon />} onSelect={remove}>
              Delete
            </MenuItem>
          )}
        </Menu>
      </div>
      {note.body && <NoteBody body={note.body} />}
      {hasUnsavedEdit && canEdit && (
        <Button variant="quiet" icon={<EditIcon />} onClick={() => setEditing(true)} className="-ml-3 self-start">
          Continue unsaved edit
        </Button>
      )}
      <NoteLinks entry={entry} about={about} nameOf={nameOf} />
    </article>
  )
}
