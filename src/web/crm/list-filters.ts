import type { Where } from '#web/data/query/list-options.ts'
import type { OwnedTable } from '#web/data/store/record-tables.ts'
import type { ListSearch } from '#web/lib/list-search.ts'

/** What a list is filtered by: the chosen values of each facet. A record has to have one of them in each facet. */
export type Filters = Readonly<Record<string, readonly string[]>>

export interface FilterProps {
  table: OwnedTable
  filters: Filters
  onChange: (filters: Filters) => void
}

/** The filters in a list's address. */
export function filtersIn({ tags }: ListSearch): Filters {
  return tags ? { tags: tags.split(',') } : {}
}

/** The parameters of the address that set these filters, and remove all others. */
export function filterSearch({ tags = [] }: Filters): ListSearch {
  return { tags: tags.length > 0 ? tags.join(',') : undefined }
}

/** The conditions of filters; undefined where there are none. */
export function filterConditions({ tags = [] }: Filters): Where | undefined {
  return tags.length > 0 ? { tag_ids: { has: tags } } : undefined
}
