import { useState } from 'react'
import { useTags } from '#web/data/tags.ts'
import { type ListSearch, parseListSearch } from '#web/lib/list-search.ts'
import { writeSearch } from '#web/lib/routing/search-format.ts'
import { usePageData, useParams, useRouter, useShownLocation } from '#web/lib/routing/use-router.ts'
import { type ChangeFilters, type Filters, filterConditions, filterSearch, filtersIn } from './list-filters.ts'

/**
 * The parameters of a list page's URL and the functions that change them: the owner filter, the part of the list, the filters, the order, the
 * pipeline, the form for a new record, the open record.
 */
export function useListUrl() {
  const search = parseListSearch(useShownLocation().search)
  const { mine, owner, sort, pipeline, new: isNew } = search
  const withoutDeletedTags = useExistingTagFilters()
  const filters = withoutDeletedTags(filtersIn(search))
  const { part } = usePageData()
  const { id: openId = null } = useParams()
  const router = useRouter()
  const [creating, setCreating] = useState(isNew === 1)
  const changeUrl = (to: (old: ListSearch) => ListSearch) => {
    const { pathname, search: old } = router.requested
    void router.open(pathname + writeSearch({ ...old, ...to(parseListSearch(old)) }), { replace: true })
  }
  const change = (to: ListSearch) => changeUrl(() => to)

  const filterBy: ChangeFilters = (to) => changeUrl((old) => filterSearch(to(withoutDeletedTags(filtersIn(old)))))

  const showOwner = (to: string | undefined) =>
    change(to === 'mine' ? { mine: 1, owner: undefined } : { mine: undefined, owner: to })

  return {
    mine: mine === 1,
    showMine: (on: boolean) => showOwner(on ? 'mine' : undefined),
    /** The owner whose records are listed: 'mine', 'none' (records without an owner) or a user id. Undefined lists all records. */
    owner: mine === 1 ? 'mine' : owner,
    showOwner,
    /** The part of the list that is shown. Undefined if the whole list is shown. */
    part,
    showWhole: () => change({ show: undefined }),
    showAll: () => change({ mine: undefined, owner: undefined, show: undefined, ...filterSearch({}) }),
    filters,
    /** The conditions that records must meet to match the filters. Undefined if there are no filters. */
    filter: filterConditions(filters),
    filterBy,
    sort,
    /** The pipeline that the board shows. Undefined for the first pipeline. */
    pipeline,
    showPipeline: (to: string | undefined) => change({ pipeline: to, show: undefined }),
    /** Sets the order. 'newest' is the default, which the URL leaves out. */
    sortBy: (by: string) => change({ sort: by === 'newest' ? undefined : by }),
    creating,
    create: () => setCreating(true),
    endCreating: () => {
      setCreating(false)
      if (isNew) change({ new: undefined })
    },
    /** The id of the record whose panel is open beside the list. */
    openId,
  }
}

/** Returns a function that removes deleted tags from filters. With a deleted tag, an old URL would show no records. */
function useExistingTagFilters(): (filters: Filters) => Filters {
  const { ready, byId } = useTags()
  return (filters) =>
    ready && filters.tags ? { ...filters, tags: filters.tags.filter((id) => byId.has(id)) } : filters
}
