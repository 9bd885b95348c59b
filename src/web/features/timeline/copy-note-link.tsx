import { copyLink } from '#web/ui/copy-link.ts'
import { LinkIcon } from '#web/ui/icons.tsx'
import { MenuItem } from '#web/ui/menu.tsx'

/** Copies the address of a note in the timeline of this record. */
export function CopyNoteLink({ id, about }: { id: string; about: { table: string; id: string } }) {
  const address = () => `${location.origin}/crm/${about.table}/${about.id}#note-${id}`
  return (
    <MenuItem icon={<LinkIcon />} onSelect={() => void copyLink(address())}>
      Copy link
    </MenuItem>
  )
}
