import { deleteRecords, restoreRecords } from '#web/data/delete-records.ts'
import { usePeople } from '#web/data/people.ts'
import { unlinkWords } from '#web/data/unlink-words.ts'
import { useUnlinked } from '#web/data/unlinked.ts'
import { updateRecords } from '#web/data/update-record.ts'
import { countOf } from '#web/lib/count.ts'
import { useShortcut } from '#web/lib/shortcuts.ts'
import type { ListSelection } from '#web/lib/use-list-selection.ts'
import { Button } from '#web/ui/button.tsx'
import { DeleteIcon } from '#web/ui/icons.tsx'
import { OwnerMenu } from '#web/ui/owner-menu.tsx'
import { SelectionBar } from '#web/ui/selection-bar.tsx'
import { toast } from '#web/ui/toast.ts'
import { undoToast } from '#web/ui/undo-toast.ts'

/** What can be done with the chosen contacts: all of them get an owner, or are deleted, which can be undone for 10 s. */
export function ContactSelection({ selection }: { selection: ListSelection }) {
  const ids = [...selection.ids]
  const loses = unlinkWords(useUnlinked('contacts', ids))
  const { members } = usePeople()
  useShortcut('Escape', selection.clear)
  const words = countOf(ids.length, 'contact', 'contacts')

  async function give(ownerId: string | null, name: string) {
    const outcome = await updateRecords('contacts', ids, { owner_id: ownerId })
    if (outcome.status === 'refused') toast.error('Error updating contacts', { description: outcome.message })
    else toast.success(`${words} now with ${name}`)
  }

  function remove() {
    selection.clear()
    undoToast({
      done: ids.length === 1 ? 'Contact deleted' : `${words} deleted`,
      failed: ids.length === 1 ? 'Error deleting contact' : 'Error deleting contacts',
      outcome: deleteRecords('contacts', ids),
      undo: () => restoreRecords('contacts', ids),
    })
  }

  return (
    <SelectionBar count={ids.length} onClear={selection.clear}>
      <OwnerMenu people={members} onChoose={(userId, name) => void give(userId, name)} />
      <Button variant="quiet" icon={<DeleteIcon />} onClick={remove} className="text-danger!">
        Delete
      </Button>
      {loses && <span className="truncate pr-2 text-xs text-ink3">{loses}</span>}
    </SelectionBar>
  )
}
