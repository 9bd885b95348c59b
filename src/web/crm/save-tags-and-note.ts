import type { Device } from '#web/data/browser/device.ts'
import { setTags } from '#web/data/change-tags.ts'
import { addNote, type TimelineTable } from '#web/data/notes.ts'
import type { Outcome } from '#web/data/session/outcome.ts'
import { toast } from '#web/ui/toast.ts'
import { type MentionedPerson, type NamedPerson, noteTooLongMessage, storedText } from './mentions.ts'

interface TagsAndNote {
  /** The ids of the tags, separated by spaces. */
  tags: string
  /** The note, as the person typed it. */
  note: string
  members: readonly NamedPerson[]
  mentioned?: readonly MentionedPerson[]
}

/** Adds tags and a note to a new record. The edits start before this function returns. `run` runs each edit. */
export function saveTagsAndNote(
  device: Device,
  table: TimelineTable,
  id: string,
  { tags, note, members, mentioned = [] }: TagsAndNote,
  run: <Result>(act: () => Result) => Result = (act) => act(),
): void {
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
}

/** Returns the ids in a text of ids that are separated by spaces. */
export function idsOf(tags: string): string[] {
  return tags.split(' ').filter(Boolean)
}

function showRefusal(saved: Promise<Outcome>, title: string): void {
  void saved.then((outcome) => outcome.status === 'refused' && toast.error(title, { description: outcome.message }))
}
