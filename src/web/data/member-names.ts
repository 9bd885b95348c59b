import type { BrandData } from './brand-data.ts'
import { useView } from './use-view.ts'
import { type View, view } from './view.ts'

/** What members call themselves, by user id; from this device. */
export function useMemberNames(): ReadonlyMap<string, string> {
  return useView(namesView, '', noNames)
}

const noNames: ReadonlyMap<string, string> = new Map()

function namesView(data: BrandData): View<ReadonlyMap<string, string>> {
  const { memberships } = data.tables
  return view([memberships], () => new Map([...memberships.values()].map((row) => [row.user_id, row.display_name])))
}
