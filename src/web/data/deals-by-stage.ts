import type { BrandData } from '#web/data/store/brand-data.ts'
import { GroupedList } from '#web/data/store/grouped-list.ts'
import type { Deal } from '#web/data/server/rows.ts'
import { newestFirst } from '#web/data/store/sorted-list.ts'

/** The deals on this device by stage, newest first: made once a brand and kept in step. */
export function dealsByStage(data: BrandData): GroupedList<Deal> {
  const key = 'deals:by-stage'
  const present = data.indexes.get(key) as GroupedList<Deal> | undefined
  if (present) return present
  const made = new GroupedList<Deal>(newestFirst, (deal) => deal.stage_id)
  made.fill(data.tables.deals.values())
  data.tables.deals.index((changes) => made.apply(changes))
  data.indexes.set(key, made)
  return made
}
