import { copyLink } from '#web/ui/copy-link.ts'
import { LinkIcon } from '#web/ui/icons.tsx'
import { MenuItem } from '#web/ui/menu.tsx'

/** The menu item that copies the URL of a note in the timeline of this record. */
export function CopyNoteLink({ id, about }: { id: string; about: { table: string; id: string } }) {
  const noteUrl = () => `${location.origin}/crm/${about.table}/${about.id}#note-${id}`
  return (
    <MenuItem icon={<LinkIcon />} onSelect={() => void copyLink(noteUrl())}>
      Copy link
    </MenuItem>
  )
}
