import { useDeferredValue, useState } from 'react'
import { useCustomFields } from '#web/data/custom-fields.ts'
import { type CustomSort, customSort, isSortable, readCustomSort } from '#web/data/query/custom-order.ts'
import type { Where } from '#web/data/query/list-options.ts'
import type { OwnedTable } from '#web/data/store/record-tables.ts'
import type { SortOption } from '#web/ui/sort-menu.tsx'
import { useListUrl } from './use-list-url.ts'

/**
 * The state of a list page: the parameters of its URL, the search, and the list's `query`. The default order is the first of `sorts`,
 * 'newest'. In the menu, the custom fields come after `sorts`. If the URL names a retired or unknown field, the default order applies.
 */
export function useListPage<Sort extends string>(
  table: OwnedTable,
  sorts: readonly [SortOption<Sort>, ...SortOption<Sort>[]],
) {
  const listUrl = useListUrl()
  const fields = useCustomFields(table).filter(isSortable)
  const [search, setSearch] = useState('')
  const deferredSearch = useDeferredValue(search)
  const customSortOfUrl = readCustomSort(listUrl.sort ?? '')
  const field = customSortOfUrl && fields.find(({ id }) => id === customSortOfUrl.fieldId)
  const isDescending = Boolean(field && customSortOfUrl?.isDescending)
  const builtInSort = sorts.find(({ value }) => value === listUrl.sort) ?? sorts[0]
  const sort: Sort | CustomSort = field ? customSort(field.id, isDescending) : builtInSort.value
  return {
    ...listUrl,
    sort,
    sortMenu: {
      value: field ? customSort(field.id) : builtInSort.value,
      options: [...sorts, ...fields.map(({ id, label }) => ({ value: customSort(id), label }))],
      onChange: listUrl.sortBy,
      descending: isDescending,
      onTurn: field ? () => listUrl.sortBy(customSort(field.id, !isDescending)) : undefined,
    },
    search,
    setSearch,
    query: {
      search: deferredSearch,
      mine: listUrl.mine,
      where: mergedConditions(listUrl.part?.where?.(), listUrl.filter),
      sort,
    },
  }
}

function mergedConditions(first: Where | undefined, second: Where | undefined): Where | undefined {
  return first && second ? { ...first, ...second } : (first ?? second)
}
