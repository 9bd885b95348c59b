import type { Device } from '#web/data/browser/device.ts'
import type { SupabaseClient } from '@supabase/supabase-js'
import { askServer } from '#web/data/server/ask-server.ts'
import { refusalCodes } from '#shared/refusal-codes.ts'
import { isRefusal } from '#web/data/server/is-refusal.ts'
import { textOf } from '#web/lib/read-unknown.ts'
import type { TableName } from '#web/data/server/tables.ts'
import { openBrand } from '#web/data/store/brand-data.ts'
import { recordDeletion } from '#web/data/store/deletions.ts'
import { type Answer, answerOfReply, type Reply } from './answer.ts'
import type { Operation } from '#web/data/store/operation.ts'

/** A request of Supabase's official client before it is awaited. */
interface Request extends PromiseLike<Reply> {
  setHeader(name: string, value: string): Request
  retry(enabled: boolean): Request
}

/** Sends the request of an operation once, in the name of the operation's user and with the operation's key. */
export async function sendRequest(
  device: Device,
  operation: Operation,
  request: (server: SupabaseClient) => Request,
): Promise<Answer> {
  const keyed = (server: SupabaseClient) => request(server).setHeader('Idempotency-Key', operation.id).retry(false)
  return answerOfReply(await askServer(device, keyed, operation.userId), operation.table)
}

/** What the answer to a read means. 'already-applied' is only for writes. `deletion`: who deleted the first missing row, and when. */
export type CurrentRows = Exclude<Answer, { kind: 'already-applied' }> & {
  deletion?: Awaited<ReturnType<typeof readDeletion>>
}

interface TableOfBrand {
  userId: string
  brandId: string
  table: TableName
}

/**
 * Reads the rows with these ids from the server. If a row is missing in the answer, it was deleted, or the session has ended: row-level security
 * then returns no rows and no error. To know which, this function also asks who deleted the row. Records the deletion of all missing rows if the
 * brand is open, up to the versions that this device had before: a later version was restored since.
 */
export async function readCurrentRows(device: Device, of: TableOfBrand, ids: readonly string[]): Promise<CurrentRows> {
  const { userId, brandId, table } = of
  const data = openBrand(device).get()
  const versions = ids.map((id) => data?.tables[table].serverRow(id)?.version)
  const reply = await askServer(
    device,
    (server) => server.from(table).select('*').in('id', ids).eq('brand_id', brandId).retry(false),
    userId,
  )
  const answer = answerOfReply(reply, table)
  if (answer.kind === 'already-applied') return { kind: 'wait' }
  if (answer.kind !== 'applied') return answer
  const present = new Set(answer.rows?.map(({ id }) => id))
  const missing = ids.find((id) => !present.has(id))
  if (missing === undefined) return answer
  const deletion = await readDeletion(device, of, missing)
  if (deletion.isSessionEnded) return { kind: 'session', code: refusalCodes.SESSION_ENDED }
  if (data?.userId === userId && data.brandId === brandId)
    for (const [index, id] of ids.entries()) if (!present.has(id)) recordDeletion(data, id, versions[index])
  return { ...answer, deletion }
}

/**
 * Reads who deleted a record, and when. Both are null if no delete is known, if no answer came, or on a backend that does not record deletes.
 * `isSessionEnded` is true if the session has ended; then the record may still exist. Records the deletion if the brand is open, so that an
 * answer with this device's version of the row, or with an earlier version, does not restore the row.
 */
export async function readDeletion(
  device: Device,
  { userId, brandId, table }: TableOfBrand,
  rowId: string,
): Promise<{ by: string | null; at: string | null; isSessionEnded: boolean }> {
  const args = { p_brand_id: brandId, p_table: table, p_id: rowId }
  const open = openBrand(device).get()
  const version = open?.tables[table].serverRow(rowId)?.version
  const { data, error } = await askServer(device, (server) => server.rpc('record_deletion', args).retry(false), userId)
  const isSessionEnded = error !== null && isRefusal(error, 'SESSION_ENDED')
  const at = textOf(data, 'at')
  if (at && open?.userId === userId && open.brandId === brandId) recordDeletion(open, rowId, version)
  return { by: textOf(data, 'by'), at, isSessionEnded }
}
