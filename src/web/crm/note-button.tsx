import { useShortcut } from '#web/lib/shortcuts.ts'
import { IconButton } from '#web/ui/icon-button.tsx'
import { NotesIcon } from '#web/ui/icons.tsx'

/** The button in the head of a record's panel that scrolls down to the field for a new note. The key `w` presses it. */
export function NoteButton({ onClick }: { onClick: () => void }) {
  useShortcut('w', onClick)
  return (
    <IconButton label="Write a note" shortcut="w" icon={<NotesIcon className="max-sm:size-5" />} onClick={onClick} />
  )
}
