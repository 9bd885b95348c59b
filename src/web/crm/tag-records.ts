import type { Device } from '#web/data/browser/device.ts'
import { changeTags } from '#web/data/change-tags.ts'
import { rowWordsOf } from '#web/data/changes/record-words.ts'
import type { Tag } from '#web/data/server/rows.ts'
import type { OwnedTable } from '#web/data/store/record-tables.ts'
import { countOf } from '#web/lib/count.ts'
import { toast } from '#web/ui/toast.ts'
import { beginUndoable } from './undo-action.ts'

/** Adds a tag to records, or removes it, and shows a toast with 'Undo': '3 contacts tagged VIP', 'VIP removed from 3 contacts'. */
export async function tagRecords(
  device: Device,
  table: OwnedTable,
  ids: readonly string[],
  tag: Pick<Tag, 'id' | 'name'>,
  isAdded: boolean,
): Promise<void> {
  const { one, many } = rowWordsOf(table)
  const edit = isAdded ? { add: [tag.id], remove: [] } : { add: [], remove: [tag.id] }
  const ownToast = toast.begin()
  const { run, options } = beginUndoable(device)
  const outcome = await run(() => changeTags(device, table, ids, edit))
  if (outcome.status === 'refused') toast.error(`Error updating ${many}`, { description: outcome.message })
  else ownToast.success(tagChangeText(countOf(ids.length, one, many), tag.name, isAdded), options)
}

/** Describes which tag was added or removed: '3 contacts tagged VIP', 'VIP removed from 3 contacts'. */
export function tagChangeText(records: string, tag: string, isAdded: boolean): string {
  return isAdded ? `${records} tagged ${tag}` : `${tag} removed from ${records}`
}
