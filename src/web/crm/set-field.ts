import type { Device } from '#web/data/browser/device.ts'
import { customWords } from '#web/data/changes/custom-words.ts'
import { rowWordsOf } from '#web/data/changes/record-words.ts'
import { updateRecords } from '#web/data/changes/update-record.ts'
import type { CustomField } from '#web/data/server/rows.ts'
import type { OwnedTable } from '#web/data/store/record-tables.ts'
import { customPath } from '#web/data/store/row-fields.ts'
import { countOf } from '#web/lib/count.ts'
import { toast } from '#web/ui/toast.ts'
import { beginUndoable } from './undo-action.ts'

/** Sets a custom field of records (null: empties it) and shows a toast with 'Undo', which restores each former value. */
export async function setField(
  device: Device,
  table: OwnedTable,
  ids: readonly string[],
  field: CustomField,
  value: unknown,
): Promise<void> {
  const { one, many } = rowWordsOf(table)
  const ownToast = toast.begin()
  const { run, options } = beginUndoable(device)
  const outcome = await run(() => updateRecords(device, table, ids, { [customPath(field.id)]: value }))
  if (outcome.status === 'refused') {
    toast.error(`Error updating ${many}`, { description: outcome.message })
    return
  }
  ownToast.success(fieldChangeText(field, value, countOf(ids.length, one, many)), options)
}

/** Describes what was done with a custom field: 'Region of 3 contacts is North', 'Region of 3 contacts emptied'. */
export function fieldChangeText(field: CustomField, value: unknown, records: string): string {
  const valueWords = customWords(field, value)
  const words = `${field.label} of ${records}`
  return valueWords === null ? `${words} emptied` : `${words} is ${valueWords}`
}

/** Asks whether a custom field should be set: 'Set Region of 5,000 contacts to North?', 'Empty Region of 5,000 contacts?' */
export function fieldChangeQuestion(field: CustomField, value: unknown, records: string): string {
  const valueWords = customWords(field, value)
  return valueWords === null
    ? `Empty ${field.label} of ${records}?`
    : `Set ${field.label} of ${records} to ${valueWords}?`
}
