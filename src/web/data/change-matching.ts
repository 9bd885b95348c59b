import type { Device } from '#web/data/browser/device.ts'
import { activeBrandState } from '#web/data/people/active-brand.ts'
import type { Where } from '#web/data/query/list-options.ts'
import type { QueryAnswer, QueryAnswers } from '#web/data/server/read-queries.ts'
import { serverNow } from '#web/data/server/network.ts'
import { rpcWithRetries, type WaitReason } from '#web/data/server/rpc-with-retries.ts'
import type { AnyRow } from '#web/data/server/tables.ts'
import { sessionState } from '#web/data/session/session.ts'
import { customPath, readField } from '#web/data/store/row-fields.ts'
import { idsIn } from '#web/data/store/set-edit.ts'
import type { OwnedTable } from '#web/data/store/record-tables.ts'
import { beginWork } from '#web/lib/begin-work.ts'
import { fieldOf, textOf } from '#web/lib/read-unknown.ts'
import { isSameValue } from './changes/same-value.ts'
import { requestPull } from '#web/data/sync/pull-schedule.ts'

/** The records that a list shows. `search` is the text of its search, '' for none. `mine`: only the records that the user owns. */
export interface Matching {
  table: OwnedTable
  search: string
  mine: boolean
  /** More conditions that the records must meet: the filters of the list, and the conditions of its shown part (`ListPart`). */
  where?: Where | undefined
}

export type MatchingChange =
  | { delete: true }
  | { owner_id: string | null }
  | { add_tags: readonly string[]; remove_tags: readonly string[] }
  /** Values of custom fields, by field id. Null empties a field. */
  | { custom: Readonly<Record<string, unknown>> }

/** The result of a change, with the data that its undo needs. `failure`: the message of the error that ended the change early, or null. */
export interface MatchingResult {
  change: MatchingChange
  /** The records that were changed. */
  ids: readonly string[]
  /** The values that the change replaced, in the order of `ids`: an empty object for each deleted record. */
  replaced: readonly Record<string, unknown>[]
  /** When the change began, by the server's clock. */
  at: string
  failure: string | null
}

interface Progress {
  /** Stops the change between two requests. */
  signal: AbortSignal
  /** Called after each batch, with the number of records that were changed so far. */
  onProgress: (count: number) => void
  /** Called with the reason before a request is sent again, and with null when the repeated request has succeeded. */
  onWaiting?: (waiting: WaitReason | null) => void
}

const batchSize = 500

/**
 * Changes all records that a list shows, including those that are not on this device: deletes them, sets their owner, changes their tags or sets a
 * custom field. Works only online, in batches of 500 records. Each batch is read first and then changed by its ids, so that a batch whose answer is
 * lost can be sent again. Records that are added meanwhile are not changed. Never rejects.
 */
export async function changeMatching(
  device: Device,
  { table, search, mine, where: filter }: Matching,
  change: MatchingChange,
  { signal, onProgress, onWaiting }: Progress,
): Promise<MatchingResult> {
  const userId = sessionState(device).get().session?.userId ?? ''
  const where = { ...(mine && { owner_id: userId }), ...filter }
  const query = { table, search: search.trim(), where, order: 'newest', limit: batchSize }
  const at = serverNow(device)
  const ids: string[] = []
  const replaced: Record<string, unknown>[] = []
  let failure: string | null = null
  const endWork = beginWork()
  try {
    const { brandId } = activeBrandState(device).get()
    const call = <T>(name: string, args: object) =>
      rpcWithRetries<T>(device, userId, name, { p_brand_id: brandId, ...args }, { signal, onWaiting })
    let after: QueryAnswer['end'] = null
    while (!signal.aborted) {
      const page: QueryAnswers = await call('read_queries', { p_queries: [{ ...query, after }] })
      const { rows = [], end = null }: QueryAnswer = page.answers[0] ?? {}
      const changed = rows.filter((row) => wouldChange(row, change))
      const batch = changed.map(({ id }) => id)
      const batchQuery = { table, search: query.search, where: { ...where, id: batch } }
      if (batch.length > 0) await call('change_matching', { p_query: batchQuery, p_change: change })
      ids.push(...batch)
      replaced.push(...changed.map((row) => replacedValues(row, change)))
      onProgress(ids.length)
      if (rows.length < batchSize || !end) break
      after = end
    }
  } catch (error) {
    if (!signal.aborted) failure = error instanceof Error ? error.message : String(error)
  }
  endWork()
  void requestPull(device)
  return { change, ids, replaced, at, failure }
}

/** Returns the values that a change writes, by column or path, as in the `values` of an operation. */
export function valuesOfChange(change: Exclude<MatchingChange, { delete: true }>): Record<string, unknown> {
  if ('custom' in change)
    return Object.fromEntries(Object.entries(change.custom).map(([id, value]) => [customPath(id), value]))
  return 'owner_id' in change ? { ...change } : { tag_ids: { add: change.add_tags, remove: change.remove_tags } }
}

function wouldChange(row: AnyRow, change: MatchingChange): boolean {
  if ('delete' in change) return true
  if ('owner_id' in change) return fieldOf(row, 'owner_id') !== change.owner_id
  if ('custom' in change)
    return Object.entries(valuesOfChange(change)).some(([field, value]) => !isSameValue(readField(row, field), value))
  const tags = new Set(idsIn(fieldOf(row, 'tag_ids')))
  return change.add_tags.some((id) => !tags.has(id)) || change.remove_tags.some((id) => tags.has(id))
}

function replacedValues(row: AnyRow, change: MatchingChange): Record<string, unknown> {
  if ('delete' in change) return {}
  if ('custom' in change)
    return Object.fromEntries(
      Object.keys(valuesOfChange(change)).map((field) => [field, readField(row, field) ?? null]),
    )
  return 'owner_id' in change ? { owner_id: textOf(row, 'owner_id') } : { tag_ids: idsIn(fieldOf(row, 'tag_ids')) }
}
