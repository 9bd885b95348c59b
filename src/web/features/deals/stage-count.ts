import type { BoardColumn } from '#web/data/deals.ts'
import { formatCount } from '#web/lib/count.ts'

/** The number of a column's deals: '1,284'; while the server is still counting '30+', or '…' where none is here. */
export function stageCount({ count, isCounting }: Pick<BoardColumn, 'count' | 'isCounting'>): string {
  if (!isCounting) return formatCount(count)
  return count > 0 ? `${formatCount(count)}+` : '…'
}
