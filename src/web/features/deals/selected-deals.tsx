import type { BoardColumn } from '#web/data/deals.ts'
import { usePeople } from '#web/data/people/people.ts'
import { unlinkWords } from '#web/data/query/unlink-words.ts'
import { useUnlinked } from '#web/data/query/unlinked.ts'
import { useShortcut } from '#web/lib/shortcuts.ts'
import { StageDot } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { DeleteIcon, MoveIcon } from '#web/ui/icons.tsx'
import { Menu, MenuItem } from '#web/ui/menu.tsx'
import { OwnerMenu } from '#web/ui/owner-menu.tsx'
import { SelectionBar } from '#web/ui/selection-bar.tsx'
import { deleteDeals } from './delete-deals.ts'
import { giveDeals, moveDeals } from './move-deals.ts'

/** What can be done with the chosen cards at once: moved to a stage, given to somebody, deleted. Escape chooses none. */
export function SelectedDeals({
  ids,
  columns,
  onClear,
}: {
  ids: readonly string[]
  columns: readonly BoardColumn[]
  onClear: () => void
}) {
  const { members } = usePeople()
  const unlinks = unlinkWords(useUnlinked('deals', ids))
  useShortcut('Escape', onClear)
  const remove = () => {
    onClear()
    deleteDeals(ids)
  }
  return (
    <SelectionBar count={ids.length} onClear={onClear}>
      <Menu
        label="Move to stage"
        align="start"
        trigger={
          <Button variant="quiet" icon={<MoveIcon />}>
            Move
          </Button>
        }
      >
        {columns.map(({ stage }) => (
          <MenuItem key={stage.id} icon={<StageDot name={stage.name} />} onSelect={() => void moveDeals(ids, stage.id)}>
            {stage.name}
          </MenuItem>
        ))}
      </Menu>
      <OwnerMenu people={members} onChoose={(userId, name) => void giveDeals(ids, userId, name)} />
      <Button variant="quiet" icon={<DeleteIcon />} onClick={remove} className="text-danger!">
        Delete
      </Button>
      {unlinks && <span className="truncate pr-2 text-xs text-ink3 max-sm:hidden">{unlinks}</span>}
    </SelectionBar>
  )
}
