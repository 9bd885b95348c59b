import { useShortcut } from '#web/lib/shortcuts.ts'
import { IconButton } from '#web/ui/icon-button.tsx'
import { NotesIcon } from '#web/ui/icons.tsx'

/** In the head of a record's panel: leads to the field of a new note, which is far below. The key `w` presses it. */
export function NoteButton({ onClick }: { onClick: () => void }) {
  useShortcut('w', onClick)
  return (
    <IconButton label="Write a note" shortcut="w" icon={<NotesIcon className="max-sm:size-5" />} onClick={onClick} />
  )
}
