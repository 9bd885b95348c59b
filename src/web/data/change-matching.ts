import type { Device } from '#web/data/browser/device.ts'
import { activeBrandState } from '#web/data/people/active-brand.ts'
import type { Where } from '#web/data/query/list-options.ts'
import type { QueryAnswer, QueryAnswers } from '#web/data/server/read-queries.ts'
import { serverNow } from '#web/data/server/network.ts'
import { rpcAgain, type Waiting } from '#web/data/server/rpc-again.ts'
import type { AnyRow } from '#web/data/server/tables.ts'
import { sessionState } from '#web/data/session/session.ts'
import { customPath, readField } from '#web/data/store/row-fields.ts'
import { idsIn } from '#web/data/store/set-edit.ts'
import type { OwnedTable } from '#web/data/store/record-tables.ts'
import { fieldOf, textOf } from '#web/lib/read-unknown.ts'
import { same } from './changes/conflict.ts'
import { requestPull } from '#web/data/sync/pull-schedule.ts'

/** The records of a list: what it searches for, and whether only those of this person. */
export interface Matching {
  table: OwnedTable
  search: string
  mine: boolean
  /** Further conditions: the filters of the list, and the part of it that is shown. */
  where?: Where | undefined
}

export type MatchingChange =
  | { delete: true }
  | { owner_id: string | null }
  | { add_tags: readonly string[]; remove_tags: readonly string[] }
  /** Values of custom fields by their ids; null empties a field. */
  | { custom: Readonly<Record<string, unknown>> }

/** What was done, as far as its undo has to know, and why the server refused to go on, where it did. */
export interface MatchingResult {
  change: MatchingChange
  /** The records that were changed. */
  ids: readonly string[]
  /** What they had before of what was changed, in the same order; of deleted ones nothing. */
  replaced: readonly Record<string, unknown>[]
  /** When it began, in the server's time. */
  at: string
  failure: string | null
}

interface Progress {
  /** Stops it between two requests. */
  signal: AbortSignal
  /** Gets the number of records that are done. */
  onProgress: (count: number) => void
  /** The server is asked again, because it did not answer or is busy; null: it has answered. */
  onWaiting?: (waiting: Waiting | null) => void
}

const pieceSize = 500

/**
 * Deletes all records that a list shows, gives them to an owner, tags them or sets a field of them, also those that are not on this device: online only, in pieces of 500
 * records. Each piece is read first and then changed by its ids, so that a piece whose answer is lost is known and can be sent again.
 * Records that are added meanwhile are left alone. Never rejects.
 */
export async function changeMatching(
  device: Device,
  { table, search, mine, where: filter }: Matching,
  change: MatchingChange,
  { signal, onProgress, onWaiting }: Progress,
): Promise<MatchingResult> {
  const userId = sessionState(device).get().session?.userId ?? ''
  const where = { ...(mine && { owner_id: userId }), ...filter }
  const query = { table, search: search.trim(), where, order: 'newest', limit: pieceSize }
  const at = serverNow(device)
  const ids: string[] = []
  const replaced: Record<string, unknown>[] = []
  let failure: string | null = null
  try {
    const { brandId } = activeBrandState(device).get()
    const ask = <T>(name: string, args: object) =>
      rpcAgain<T>(device, userId, name, { p_brand_id: brandId, ...args }, { signal, onWaiting })
    let after: QueryAnswer['end'] = null
    while (!signal.aborted) {
      const page: QueryAnswers = await ask('read_queries', { p_queries: [{ ...query, after }] })
      const { rows = [], end = null }: QueryAnswer = page.answers[0] ?? {}
      const changed = rows.filter((row) => isChanged(row, change))
      const piece = changed.map(({ id }) => id)
      const those = { table, search: query.search, where: { ...where, id: piece } }
      if (piece.length > 0) await ask('change_matching', { p_query: those, p_change: change })
      ids.push(...piece)
      replaced.push(...changed.map((row) => replacedIn(row, change)))
      onProgress(ids.length)
      if (rows.length < pieceSize || !end) break
      after = end
    }
  } catch (error) {
    if (!signal.aborted) failure = error instanceof Error ? error.message : String(error)
  }
  void requestPull(device)
  return { change, ids, replaced, at, failure }
}

/** What a change writes, as edits name it. */
export function matchedValues(change: Exclude<MatchingChange, { delete: true }>): Record<string, unknown> {
  if ('custom' in change)
    return Object.fromEntries(Object.entries(change.custom).map(([id, value]) => [customPath(id), value]))
  return 'owner_id' in change ? { ...change } : { tag_ids: { add: change.add_tags, remove: change.remove_tags } }
}

function isChanged(row: AnyRow, change: MatchingChange): boolean {
  if ('delete' in change) return true
  if ('owner_id' in change) return fieldOf(row, 'owner_id') !== change.owner_id
  if ('custom' in change)
    return Object.entries(matchedValues(change)).some(([field, value]) => !same(readField(row, field), value))
  const tags = new Set(idsIn(fieldOf(row, 'tag_ids')))
  return change.add_tags.some((id) => !tags.has(id)) || change.remove_tags.some((id) => tags.has(id))
}

function replacedIn(row: AnyRow, change: MatchingChange): Record<string, unknown> {
  if ('delete' in change) return {}
  if ('custom' in change)
    return Object.fromEntries(Object.keys(matchedValues(change)).map((field) => [field, readField(row, field) ?? null]))
  return 'owner_id' in change ? { owner_id: textOf(row, 'owner_id') } : { tag_ids: idsIn(fieldOf(row, 'tag_ids')) }
}
