import type { Device } from '#web/data/browser/device.ts'
import { askServer } from '#web/data/server/ask-server.ts'
import { isRefusal } from '#web/data/server/is-refusal.ts'
import type { AnyRow, TableName } from '#web/data/server/tables.ts'
import { type BrandData, openBrand } from '#web/data/store/brand-data.ts'
import { type DeletedVersions, recordDeletions } from '#web/data/store/deletions.ts'
import { textOf } from '#web/lib/read-unknown.ts'
import { type Answer, answerOfReply, notAllowed } from './answer.ts'

/** The result of `readCurrentRows`: the rows on the server, or the answer that prevented the read. */
export type CurrentRows =
  | Exclude<Answer, { kind: 'already-applied' } | { kind: 'applied' }>
  /** `missing`: the rows that do not exist. `deletion`: who deleted the first of them, and when. */
  | { kind: 'applied'; rows: readonly AnyRow[]; missing: DeletedVersions; deletion?: PossibleDeletion }

/** Who deleted a record, and when. Both are null if no delete is known. */
export interface PossibleDeletion {
  by: string | null
  at: string | null
}

interface TableOfBrand {
  userId: string
  brandId: string
  table: TableName
}

/**
 * Returns these ids with the versions that their rows have on this device now. A row that is not on this device has version 0. All versions are
 * undefined if the brand is not open, or if its rows are still being read.
 */
export function versionsHere(device: Device, target: TableOfBrand, ids: readonly string[]): DeletedVersions {
  const collection = openDataOf(device, target)?.tables[target.table]
  const versionOf = (id: string) => (collection?.isReady ? (collection.serverRow(id)?.version ?? 0) : undefined)
  return new Map(ids.map((id) => [id, versionOf(id)]))
}

/**
 * Reads the rows with these ids from the server. A row that is missing in the answer was deleted, or row-level security hides it without an error:
 * the session has ended, the session has not proved a second factor that the brand requires, or the user is no longer a member. To tell these cases
 * apart, this function also asks who deleted the first missing row. If the brand is open, records the missing rows as deleted, except rows that now
 * have a higher version on this device than before the request, because they were restored meanwhile. `isRepeated`: the rows were read before.
 */
export async function readCurrentRows(
  device: Device,
  target: TableOfBrand,
  ids: readonly string[],
  isRepeated = false,
): Promise<CurrentRows> {
  const { userId, brandId, table } = target
  const versionsBefore = versionsHere(device, target, ids)
  const reply = await askServer(
    device,
    (server) => server.from(table).select('*').in('id', ids).eq('brand_id', brandId).retry(false),
    userId,
  )
  const answer = answerOfReply(reply, table)
  if (answer.kind === 'already-applied') return { kind: 'wait' }
  if (answer.kind !== 'applied') return answer
  const rows = answer.rows ?? []
  const existingIds = new Set(rows.map(({ id }) => id))
  const missing = new Map([...versionsBefore].filter(([id]) => !existingIds.has(id)))
  const [firstMissingId] = missing.keys()
  if (firstMissingId === undefined) return { kind: 'applied', rows, missing }
  const deletion = await readDeletion(device, target, firstMissingId)
  if ('kind' in deletion) return deletion
  // Only the delete of the first row may be known. The others may be missing because the user was no longer a member at the time of the read, and was
  // added again before `readDeletion`. So they are read again.
  if (!isRepeated && (deletion.at === null || missing.size > 1)) return readCurrentRows(device, target, ids, true)
  const data = openDataOf(device, target)
  if (data) recordDeletions(data, table, missing)
  return { kind: 'applied', rows, missing, deletion }
}

/**
 * Reads who deleted a record, and when. Both are null if no delete is known, or on a backend that does not record deletes. If the server did not
 * answer, the session has ended, or the brand requires a second factor, returns this answer instead, because the record may still exist. For the same
 * reason, returns `notAllowed` if the user is no longer a member.
 */
export async function readDeletion(
  device: Device,
  { userId, brandId, table }: TableOfBrand,
  rowId: string,
): Promise<PossibleDeletion | Extract<Answer, { kind: 'wait' | 'session' | 'refused' }>> {
  const args = { p_brand_id: brandId, p_table: table, p_id: rowId }
  const reply = await askServer(device, (server) => server.rpc('record_deletion', args).retry(false), userId)
  const answer = answerOfReply(reply, table)
  if (answer.kind === 'wait' || answer.kind === 'session') return answer
  if (answer.kind === 'refused' && isRefusal(answer, 'SECOND_FACTOR_REQUIRED')) return answer
  if (answer.kind === 'refused' && isRefusal(answer, 'NOT_AUTHORIZED')) return notAllowed
  return { by: textOf(reply.data, 'by'), at: textOf(reply.data, 'at') }
}

function openDataOf(device: Device, { userId, brandId }: TableOfBrand): BrandData | null {
  const data = openBrand(device).get()
  return data?.userId === userId && data.brandId === brandId ? data : null
}
