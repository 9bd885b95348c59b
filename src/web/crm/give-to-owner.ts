import type { Device } from '#web/data/browser/device.ts'
import { nounOf } from '#web/data/changes/record-words.ts'
import { updateRecords } from '#web/data/changes/update-record.ts'
import type { OwnedTable } from '#web/data/store/record-tables.ts'
import { countOf } from '#web/lib/count.ts'
import { toast } from '#web/ui/toast.ts'

/** Sets the owner of records (null: nobody) and shows a toast: '3 deals now with Ana Pryce'. `name` is the owner's name. */
export async function giveToOwner(
  device: Device,
  table: OwnedTable,
  ids: readonly string[],
  ownerId: string | null,
  name: string,
): Promise<void> {
  const { one, many } = nounOf(table)
  const ownToast = toast.begin()
  const outcome = await updateRecords(device, table, ids, { owner_id: ownerId })
  if (outcome.status === 'refused') ownToast.error(`Error updating ${many}`, { description: outcome.message })
  else ownToast.success(`${countOf(ids.length, one, many)} now with ${name}`)
}
