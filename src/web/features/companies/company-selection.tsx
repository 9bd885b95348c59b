import { deleteRecords, restoreRecords } from '#web/data/delete-records.ts'
import { usePeople } from '#web/data/people.ts'
import { unlinkWords } from '#web/data/unlink-words.ts'
import { useUnlinked } from '#web/data/unlinked.ts'
import { updateRecords } from '#web/data/update-record.ts'
import { countOf } from '#web/lib/count.ts'
import { useShortcut } from '#web/lib/shortcuts.ts'
import type { ListSelection } from '#web/lib/use-list-selection.ts'
import { OwnerMenu } from '#web/ui/owner-menu.tsx'
import { Button } from '#web/ui/button.tsx'
import { DeleteIcon } from '#web/ui/icons.tsx'
import { SelectionBar } from '#web/ui/selection-bar.tsx'
import { toast } from '#web/ui/toast.ts'
import { undoToast } from '#web/ui/undo-toast.ts'

/** What can be done with the chosen companies: all of them get an owner, or are deleted, which can be undone for 10 s. */
export function CompanySelection({ selection }: { selection: ListSelection }) {
  const ids = [...selection.ids]
  const loses = unlinkWords(useUnlinked('companies', ids))
  const { members } = usePeople()
  useShortcut('Escape', selection.clear)
  const words = countOf(ids.length, 'company', 'companies')

  async function give(ownerId: string | null, name: string) {
    const outcome = await updateRecords('companies', ids, { owner_id: ownerId })
    if (outcome.status === 'refused') toast.error('Error updating companies', { description: outcome.message })
    else toast.success(`${words} now with ${name}`)
  }

  function remove() {
    selection.clear()
    undoToast({
      done: ids.length === 1 ? 'Company deleted' : `${words} deleted`,
      failed: ids.length === 1 ? 'Error deleting company' : 'Error deleting companies',
      outcome: deleteRecords('companies', ids),
      undo: () => restoreRecords('companies', ids),
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
