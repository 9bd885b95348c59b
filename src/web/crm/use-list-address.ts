import { useLoaderData, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import type { ListSearch } from '#web/lib/list-search.ts'

/**
 * The parameters of a list page's address, and how the page changes them: only mine, a part of it, the order, the form for a new record, the open record.
 */
export function useListAddress() {
  const { mine, sort, new: isNew } = useSearch({ strict: false })
  const part = useLoaderData({ strict: false }) || undefined
  const [openId = null] = Object.values<string>(useParams({ strict: false }))
  const navigate = useNavigate()
  const [creating, setCreating] = useState(isNew === 1)
  const change = (search: ListSearch) =>
    void navigate({ to: '.', search: (old) => ({ ...old, ...search }), replace: true, resetScroll: false })

  return {
    mine: mine === 1,
    showMine: (on: boolean) => change({ mine: on ? 1 : undefined }),
    /** The part of the list that is shown; absent: the whole list. */
    part,
    showWhole: () => change({ show: undefined }),
    showAll: () => change({ mine: undefined, show: undefined }),
    sort,
    /** 'newest' is the default order, which the address leaves out. */
    sortBy: (by: string) => change({ sort: by === 'newest' ? undefined : by }),
    creating,
    create: () => setCreating(true),
    endCreating: () => {
      setCreating(false)
      if (isNew) change({ new: undefined })
    },
    /** The record whose panel is open beside the list. */
    openId,
  }
}
