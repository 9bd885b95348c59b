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
  const address = useListUrl()
  const fields = useCustomFields(table).filter(isSortable)
  const [search, setSearch] = useState('')
  const deferredSearch = useDeferredValue(search)
  const by = readCustomSort(address.sort ?? '')
  const field = by && fields.find(({ id }) => id === by.fieldId)
  const isDescending = Boolean(field && by?.isDescending)
  const plain = sorts.find(({ value }) => value === address.sort) ?? sorts[0]
  const sort: Sort | CustomSort = field ? customSort(field.id, isDescending) : plain.value
  return {
    ...address,
    sort,
    sortMenu: {
      value: field ? customSort(field.id) : plain.value,
      options: [...sorts, ...fields.map(({ id, label }) => ({ value: customSort(id), label }))],
      onChange: address.sortBy,
      descending: isDescending,
      onTurn: field ? () => address.sortBy(customSort(field.id, !isDescending)) : undefined,
    },
    search,
    setSearch,
    query: {
      search: deferredSearch,
      mine: address.mine,
      where: bothConditions(address.part?.where?.(), address.filter),
      sort,
    },
  }
}

function bothConditions(one: Where | undefined, other: Where | undefined): Where | undefined {
  return one && other ? { ...one, ...other } : (one ?? other)
}
