import { useMemo, useSyncExternalStore } from 'react'
import type { Device } from '#web/data/browser/device.ts'
import { type View, view } from '#web/data/query/view.ts'
import { type BrandData, openBrand } from '#web/data/store/brand-data.ts'

/** A deal in a lost stage. */
export interface LostDeal {
  id: string
  /** The lost reason of the deal. It may be that of an earlier loss. Null if there is none, or if the deal is not on this device. */
  reason: string | null
}

/**
 * Returns which of these deals are in a lost stage. A deal that is not on this device counts as lost unless it was deleted. For toasts, which
 * are rendered outside of `DeviceContext`.
 */
export function useLostDeals(device: Device, dealIds: readonly string[]): readonly LostDeal[] {
  const lost = useMemo(() => lostDeals(openBrand(device).get(), dealIds), [device, dealIds])
  return useSyncExternalStore(lost.subscribe, lost.read, lost.read)
}

function lostDeals(data: BrandData | null, dealIds: readonly string[]): View<readonly LostDeal[]> {
  if (!data) return view([], () => dealIds.map((id) => ({ id, reason: null })))
  const { deals, deal_stages: stages } = data.tables
  const isLost = (id: string) => {
    const deal = deals.get(id)
    return deal ? stages.get(deal.stage_id)?.kind === 'lost' : !data.recentlyDeleted.has(id)
  }
  return view([deals, stages], () =>
    dealIds.filter(isLost).map((id) => ({ id, reason: deals.get(id)?.lost_reason ?? null })),
  )
}
