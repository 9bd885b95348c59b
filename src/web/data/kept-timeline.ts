import type { TimelineTable } from './notes.ts'
import { type KnownEntry, readTimeline, type TimelinePage } from './timeline-answer.ts'
import type { BrandData } from '#web/data/store/brand-data.ts'
import { localDatabase } from '#web/data/store/local-db.ts'

/** How many entries are kept for an offline start: the most of one answer. */
export const maxKept = 100

/** The entries of a timeline as they were kept; null: none were. Their notes are rows of this device. */
export async function readKept(
  { device, userId, brandId }: BrandData,
  table: TimelineTable,
  id: string,
): Promise<TimelinePage | null> {
  try {
    const kept = await localDatabase(device, userId).getList(brandId, keyOf(table, id))
    return kept?.timeline === undefined ? null : readTimeline(kept.timeline)
  } catch {
    // The page goes on with what the server has.
    return null
  }
}

/** Keeps the first entries of a timeline. */
export async function keepTimeline(
  { device, userId, brandId }: BrandData,
  table: TimelineTable,
  id: string,
  known: Pick<TimelinePage, 'names' | 'next'> & { entries: readonly KnownEntry[] },
): Promise<void> {
  const entries = known.entries.slice(0, maxKept)
  const next = entries.length === known.entries.length ? known.next : null
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
    console.warn('A timeline is not kept for an offline start.', error)
  }
}

function keyOf(table: TimelineTable, id: string): string {
  return `timeline ${table} ${id}`
}
