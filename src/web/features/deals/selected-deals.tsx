import { useMemo } from 'react'
import { useDevice } from '#web/data/browser/device.ts'
import { deleteWithUndo } from '#web/crm/delete-with-undo.ts'
import { ExportButton } from '#web/crm/export/export-button.tsx'
import { setOwnerWithUndo } from '#web/crm/give-to-owner.ts'
import { OwnerMenu } from '#web/crm/owner-menu.tsx'
import { setField } from '#web/crm/set-field.ts'
import { SetFieldButton } from '#web/crm/set-field-button.tsx'
import { TagMenu } from '#web/crm/tag-menu.tsx'
import { tagRecords } from '#web/crm/tag-records.ts'
import { StageDot } from '#web/crm/stage-badge.tsx'
import type { BoardColumn } from '#web/data/deals.ts'
import { usePeople } from '#web/data/people/people.ts'
import { unlinksInWords } from '#web/data/query/unlinks-in-words.ts'
import { useLinkCounts } from '#web/data/query/link-counts.ts'
import { useView } from '#web/data/query/use-view.ts'
import type { BrandData } from '#web/data/store/brand-data.ts'
import { useShortcut } from '#web/lib/shortcuts.ts'
import { Button } from '#web/ui/button.tsx'
import { DeleteIcon, MoveIcon } from '#web/ui/icons.tsx'
import { Menu, MenuItem } from '#web/ui/menu.tsx'
import { SelectionBar, selectionActionClasses } from '#web/ui/selection-bar.tsx'
import { OtherPipelines } from './other-pipelines.tsx'
import { moveDeals } from './move-deals.ts'
import { selectedOnBoard } from './selected-on-board.ts'

const noIds: readonly string[] = []

interface SelectedDealsProps {
  selected: ReadonlySet<string>
  columns: readonly BoardColumn[]
  onClear: () => void
}

/**
 * The actions for the selected cards that are on the board: move to a stage, set owner, tags or a custom field, export, delete. Escape clears the
 * selection. A card that a search or a filter hides, or whose deal was deleted, is left out.
 */
export function SelectedDeals({ selected, ...props }: SelectedDealsProps) {
  const { columns } = props
  const makeView = useMemo(() => (data: BrandData, key: string) => selectedOnBoard(data, key, columns), [columns])
  const ids = useView(makeView, [...selected].join(' '), noIds)
  return ids.length > 0 && <DealActions ids={ids} {...props} />
}

function DealActions({ ids, columns, onClear }: Omit<SelectedDealsProps, 'selected'> & { ids: readonly string[] }) {
  const device = useDevice()
  const { members } = usePeople()
  const unlinks = unlinksInWords(useLinkCounts('deals', ids))
  useShortcut('Escape', onClear)
  const remove = () => {
    onClear()
    deleteWithUndo(device, 'deals', ids)
  }
  return (
    <SelectionBar count={ids.length} onClear={onClear} note={unlinks}>
      <Menu
        label="Move to stage"
        align="start"
        trigger={
          <Button variant="quiet" icon={<MoveIcon />} className={selectionActionClasses}>
            Move
          </Button>
        }
      >
        {columns.map(({ stage }) => (
          <MenuItem
            key={stage.id}
            icon={<StageDot stage={stage} />}
            onSelect={() => void moveDeals(device, ids, stage.id)}
          >
            {stage.name}
          </MenuItem>
        ))}
        <OtherPipelines columns={columns} onChoose={(stageId) => void moveDeals(device, ids, stageId)} />
      </Menu>
      <OwnerMenu
        people={members}
        onChoose={(userId, name) => void setOwnerWithUndo(device, 'deals', ids, userId, name)}
      />
      <TagMenu
        onAdd={(tag) => void tagRecords(device, 'deals', ids, tag, true)}
        onRemove={(tag) => void tagRecords(device, 'deals', ids, tag, false)}
      />
      <SetFieldButton
        table="deals"
        count={ids.length}
        ids={ids}
        onSet={(field, value) => void setField(device, 'deals', ids, field, value)}
      />
      <ExportButton query={{ table: 'deals', ids }} quiet className={selectionActionClasses} />
      <Button
        variant="quiet"
        icon={<DeleteIcon />}
        onClick={remove}
        className={`${selectionActionClasses} text-danger!`}
      >
        Delete
      </Button>
    </SelectionBar>
  )
}
