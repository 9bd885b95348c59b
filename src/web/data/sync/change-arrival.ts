import { devicePart } from '#web/data/browser/device.ts'
import { perBrand } from '#web/data/store/per-brand.ts'
import type { BrandData } from '#web/data/store/brand-data.ts'
import { observable } from '#web/lib/observable.ts'

/**
 * A visible page pulls at least every 30 s. A change that arrives later than this after the last pull happened while the page was hidden
 * or offline.
 */
const maxLiveGapMs = 45_000

const lastPull = perBrand((): { at?: number } => ({}))

/** The open brand after this tab has pulled all its changes; null before. */
export const caughtUp = devicePart(() => observable<BrandData | null>(null))

/** Records that this tab has pulled all changes. */
export function markCaughtUp(data: BrandData): void {
  lastPull(data).at = data.device.clock.now()
  caughtUp(data.device).set(data)
}

/**
 * When a change that arrives now was made: just now ('live'), while this tab did not pull ('away'), or before the brand was opened
 * ('first').
 */
export function changeArrival(data: BrandData): 'first' | 'live' | 'away' {
  const { at } = lastPull(data)
  if (at === undefined) return 'first'
  return data.device.clock.now() - at <= maxLiveGapMs ? 'live' : 'away'
}
