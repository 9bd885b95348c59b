import { rowWordsOf } from '#web/data/changes/record-words.ts'
import { countOf } from '#web/lib/count.ts'
import type { LinkCounts } from './link-counts.ts'

/**
 * Returns the sentence that says which links a delete clears: 'Unlinks 2 deals and 1 task'. Null if the delete clears no links, or
 * while they are counted.
 */
export function unlinksInWords({ ready, links }: LinkCounts): string | null {
  if (!ready) return null
  const parts = links.map(({ table, count }) => countOf(count, rowWordsOf(table).one, rowWordsOf(table).many))
  const last = parts.pop()
  if (!last) return null
  return `Unlinks ${parts.length > 0 ? `${parts.join(', ')} and ${last}` : last}`
}
