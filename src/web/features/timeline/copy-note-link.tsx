import { copyLink } from '#web/ui/copy-link.ts'
import { LinkIcon } from '#web/ui/icons.tsx'
import { MenuItem } from '#web/ui/menu.tsx'

/** The menu item that copies the URL of a note in the timeline of this record. */
export function CopyNoteLink({ id, about }: { id: string; about: { table: string; id: string } }) {
  const address = () => `${location.origin}/crm/${about.table}/${about.id}#note-${id}`
  return (
    <MenuItem icon={<LinkIcon />} onSelect={() => void copyLink(address())}>
      Copy link
    </MenuItem>
  )
}
