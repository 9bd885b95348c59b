import type { TimelineTable } from './notes.ts'
import { type KnownEntry, readTimeline, type TimelinePage } from './timeline-answer.ts'
import type { BrandData } from '#web/data/store/brand-data.ts'
import { localDatabase } from '#web/data/store/local-db.ts'

/** Maximum number of entries that are stored for an offline start. An answer of the server has at most this number of entries. */
export const maxStoredEntries = 100

/** Reads the stored entries of a timeline. Null if there are none. The notes of these entries are among the rows on this device. */
export async function readStoredTimeline(
  { device, userId, brandId }: BrandData,
  table: TimelineTable,
  id: string,
): Promise<TimelinePage | null> {
  try {
    const stored = await localDatabase(device, userId).getList(brandId, keyOf(table, id))
    return stored?.timeline === undefined ? null : readTimeline(stored.timeline)
  } catch {
    // If the entries cannot be read, the timeline shows those from the server.
    return null
  }
}

/** Stores the first entries of a timeline, and where the next page after them begins. */
export async function storeTimeline(
  { device, userId, brandId }: BrandData,
  table: TimelineTable,
  id: string,
  known: Pick<TimelinePage, 'names' | 'next'> & { entries: readonly KnownEntry[] },
): Promise<void> {
  const entries = known.entries.slice(0, maxStoredEntries)
  const last = entries.at(-1)
  // The form of `next` in the answers of SQL's `timeline`.
  const next = last && entries.length < known.entries.length ? `${last.at}~${last.key}` : known.next
  try {
    const timeline = { entries, names: known.names, next }
    await localDatabase(device, userId).putList({
      brand_id: brandId,
      key: keyOf(table, id),
      ids: [],
      total: 0,
      timeline,
    })
  } catch (error) {
    console.warn('A timeline could not be stored for an offline start.', error)
  }
}

function keyOf(table: TimelineTable, id: string): string {
  return `timeline ${table} ${id}`
}
