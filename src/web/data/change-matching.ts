import type { Device } from '#web/data/browser/device.ts'
import { activeBrandState } from '#web/data/people/active-brand.ts'
import { rpcAgain } from '#web/data/server/rpc-again.ts'
import { sessionState } from '#web/data/session/session.ts'
import type { OwnedTable } from '#web/data/store/record-tables.ts'
import { requestPull } from '#web/data/sync/pull-schedule.ts'

/** The records of a list: what it searches for, and whether only those of this person. */
export interface Matching {
  table: OwnedTable
  search: string
  mine: boolean
}

export type MatchingChange = { delete: true } | { owner_id: string | null }

interface Piece {
  done: boolean
  count: number
  ids: readonly string[]
  until: string
}

/** `ids`: the records that were deleted. `failure`: the server's message, where it refused to go on. */
export interface MatchingResult {
  count: number
  ids: readonly string[]
  failure: string | null
}

/**
 * Deletes all records that a list shows, or gives them to an owner, also those that are not on this device: online only, in requests of 500
 * records. Records that are added meanwhile are left alone. `onProgress` gets the number that is done. `signal` stops it between two
 * requests. Never rejects.
 */
export async function changeMatching(
  device: Device,
  { table, search, mine }: Matching,
  change: MatchingChange,
  signal: AbortSignal,
  onProgress: (count: number) => void,
): Promise<MatchingResult> {
  const userId = sessionState(device).get().session?.userId ?? ''
  const query = { table, search: search.trim(), where: mine ? { owner_id: userId } : {} }
  const args = { p_brand_id: activeBrandState(device).get().brandId, p_query: query, p_change: change }
  const ids: string[] = []
  let count = 0
  let until: string | null = null
  let failure: string | null = null
  try {
    while (!signal.aborted) {
      const piece: Piece = await rpcAgain(device, userId, 'change_matching', { ...args, p_until: until }, { signal })
      count += piece.count
      until = piece.until
      if ('delete' in change) ids.push(...piece.ids)
      onProgress(count)
      if (piece.done) break
    }
  } catch (error) {
    if (!signal.aborted) failure = error instanceof Error ? error.message : String(error)
  }
  void requestPull(device)
  return { count, ids, failure }
}
