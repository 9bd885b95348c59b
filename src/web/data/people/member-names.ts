import type { BrandData } from '#web/data/store/brand-data.ts'
import { useView } from '#web/data/query/use-view.ts'
import { type View, view } from '#web/data/query/view.ts'

/** Returns the names of the members by user id, in the order of joining, from this device. */
export function useMemberNames(): ReadonlyMap<string, string> {
  return useView(namesView, '', noNames)
}

/** Returns the ids of members who were added by somebody else and have not opened the brand yet, from this device. */
export function useUnopenedMembers(): ReadonlySet<string> {
  return useView(unopenedView, '', noMembers)
}

const noMembers: ReadonlySet<string> = new Set()

function unopenedView(data: BrandData): View<ReadonlySet<string>> {
  const { memberships } = data.tables
  return view([memberships], () => {
    const unopened = [...memberships.values()].filter(({ opened_at }) => opened_at === null)
    return new Set(unopened.map(({ user_id }) => user_id))
  })
}

const noNames: ReadonlyMap<string, string> = new Map()

function namesView(data: BrandData): View<ReadonlyMap<string, string>> {
  const { memberships } = data.tables
  return view([memberships], () => {
    const byJoining = [...memberships.values()].sort((a, b) => (a.created_at < b.created_at ? -1 : 1))
    return new Map(byJoining.map((row) => [row.user_id, row.display_name]))
  })
}
