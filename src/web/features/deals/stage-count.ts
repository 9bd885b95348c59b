import type { BoardColumn } from '#web/data/deals.ts'
import { formatCount } from '#web/lib/count.ts'

/** Returns the number of a column's deals: '1,284'. While the server counts: '30+', or '…' if no deal is known yet. */
export function stageCount({ count, isCounting }: Pick<BoardColumn, 'count' | 'isCounting'>): string {
  if (!isCounting) return formatCount(count)
  return count > 0 ? `${formatCount(count)}+` : '…'
}
