import type { Device } from '#web/data/browser/device.ts'
import { type MatchingResult, valuesOfChange } from './change-matching.ts'
import { openBrand } from '#web/data/store/brand-data.ts'
import type { RecordTable } from '#web/data/store/record-tables.ts'
import { type DoneOperation, recordOperation } from './changes/steps.ts'

/**
 * Adds a step of undo for a change of many records (all that a list shows). The server has made the change for this tab without the outbox.
 * The undo of a delete restores the records. The undo of another change restores their former owners, tags or values.
 */
export function recordMatchingChange(
  device: Device,
  table: RecordTable,
  { change, ids, replaced, at }: Pick<MatchingResult, 'change' | 'ids' | 'replaced' | 'at'>,
): void {
  const data = openBrand(device).get()
  const [rowId] = ids
  if (!data || rowId === undefined) return
  const { brandId } = data
  const common = { brandId, table, rowId, rowIds: ids, preview: {}, base: {}, at, onServer: true } as const
  const operation: DoneOperation =
    'delete' in change
      ? { ...common, kind: 'delete', values: {}, title: `Delete ${ids.length} ${table}`, icon: 'delete' }
      : {
          ...common,
          kind: 'update-all',
          values: valuesOfChange(change),
          bases: Object.fromEntries(ids.map((id, index) => [id, replaced[index] ?? {}])),
          title: `${'owner_id' in change ? 'Owner' : 'custom' in change ? 'Field' : 'Tags'} of ${ids.length} ${table}`,
          icon: 'edit',
        }
  recordOperation(data, operation)
}
