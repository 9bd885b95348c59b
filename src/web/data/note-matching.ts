import type { Device } from '#web/data/browser/device.ts'
import { matchedValues, type MatchingResult } from './change-matching.ts'
import { openBrand } from '#web/data/store/brand-data.ts'
import type { RecordTable } from '#web/data/store/record-tables.ts'
import { type Done, noteOperation } from './changes/steps.ts'

/**
 * Notes records that the server has changed for this tab without the outbox (a whole list). Their undo restores those that were deleted, and
 * gives the others back the owners, the tags or the values that they had.
 */
export function noteMatching(
  device: Device,
  table: RecordTable,
  { change, ids, replaced, at }: Pick<MatchingResult, 'change' | 'ids' | 'replaced' | 'at'>,
): void {
  const data = openBrand(device).get()
  const [rowId] = ids
  if (!data || rowId === undefined) return
  const { brandId } = data
  const done = { brandId, table, rowId, rowIds: ids, preview: {}, base: {}, at, onServer: true } as const
  const made: Done =
    'delete' in change
      ? { ...done, kind: 'delete', values: {}, title: `Delete ${ids.length} ${table}`, icon: 'delete' }
      : {
          ...done,
          kind: 'update-all',
          values: matchedValues(change),
          bases: Object.fromEntries(ids.map((id, index) => [id, replaced[index] ?? {}])),
          title: `${'owner_id' in change ? 'Owner' : 'custom' in change ? 'Field' : 'Tags'} of ${ids.length} ${table}`,
          icon: 'edit',
        }
  noteOperation(data, made)
}
