import { useDevice } from '#web/data/browser/device.ts'
import { deleteWithUndo } from './delete-with-undo.ts'
import { setOwnerWithUndo } from './give-to-owner.ts'
import { ExportButton } from './export/export-button.tsx'
import { OwnerMenu } from './owner-menu.tsx'
import { setField } from './set-field.ts'
import { SetFieldButton } from './set-field-button.tsx'
import { TagMenu } from './tag-menu.tsx'
import { tagRecords } from './tag-records.ts'
import { rowWordsOf } from '#web/data/changes/record-words.ts'
import { usePeople } from '#web/data/people/people.ts'
import { useExistingIds } from '#web/data/query/existing-ids.ts'
import { unlinksInWords } from '#web/data/query/unlinks-in-words.ts'
import { useLinkCounts } from '#web/data/query/link-counts.ts'
import type { OwnedTable } from '#web/data/store/record-tables.ts'
import { formatCount } from '#web/lib/count.ts'
import { useShortcut } from '#web/lib/shortcuts.ts'
import type { ListSelection } from '#web/lib/use-list-selection.ts'
import { Button } from '#web/ui/button.tsx'
import { DeleteIcon } from '#web/ui/icons.tsx'
import { SelectionBar, selectionActionClasses } from '#web/ui/selection-bar.tsx'

interface RecordSelectionProps {
  table: OwnedTable
  selection: ListSelection
  /** The number of rows in the list. */
  total: number
  /** True if the list has a search or a filter. */
  isFiltered: boolean
  /** True if `total` may be wrong: the server is unreachable, is still searching, or has not counted all rows. */
  isTotalUnsure: boolean
}

/**
 * The actions for selected rows, such as setting the owner, adding a tag and deleting. Each edit shows a toast with 'Undo' for 10 s. Records that
 * were deleted after they were selected are left out.
 */
export function RecordSelection({ table, selection, total, isFiltered, isTotalUnsure }: RecordSelectionProps) {
  const device = useDevice()
  const ids = useExistingIds(table, [...selection.ids])
  const unlinks = unlinksInWords(useLinkCounts(table, ids))
  const { members } = usePeople()
  useShortcut('Escape', selection.clear)

  function remove() {
    selection.clear()
    deleteWithUndo(device, table, ids)
  }

  return (
    <SelectionBar
      count={ids.length}
      onClear={selection.clear}
      empty={selection.picking ? `Tap ${rowWordsOf(table).many} to select them` : undefined}
      more={
        selection.hasMore &&
        !isTotalUnsure && (
          <Button variant="quiet" onClick={selection.selectEverything} className="text-accent-text! max-sm:px-2!">
            Select all {formatCount(total)}
            {isFiltered && ' that match'}
          </Button>
        )
      }
      note={unlinks}
    >
      <OwnerMenu
        people={members}
        onChoose={(userId, name) => void setOwnerWithUndo(device, table, ids, userId, name)}
      />
      <TagMenu
        onAdd={(tag) => void tagRecords(device, table, ids, tag, true)}
        onRemove={(tag) => void tagRecords(device, table, ids, tag, false)}
      />
      <SetFieldButton
        table={table}
        count={ids.length}
        ids={ids}
        onSet={(field, value) => void setField(device, table, ids, field, value)}
      />
      <ExportButton query={{ table, ids }} quiet className={selectionActionClasses} />
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
