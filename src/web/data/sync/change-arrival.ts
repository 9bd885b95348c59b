import { devicePart } from '#web/data/browser/device.ts'
import { perBrand } from '#web/data/store/per-brand.ts'
import type { BrandData } from '#web/data/store/brand-data.ts'
import { observable } from '#web/lib/observable.ts'

/**
 * Maximum time between the last pull and the arrival of a live change (ms). A visible page pulls at least every 30 s, so a change that
 * arrives later was made while the page was hidden or offline.
 */
const maxLiveGapMs = 45_000

const lastPull = perBrand((): { at?: number } => ({}))

/** The brand of this tab's last pull that fetched all changes. Null before the first such pull. */
export const caughtUpBrand = devicePart(() => observable<BrandData | null>(null))

/** Records that this tab has pulled all changes of the brand. */
export function markCaughtUp(data: BrandData): void {
  lastPull(data).at = data.device.clock.now()
  caughtUpBrand(data.device).set(data)
}

/**
 * Returns when a change that arrives now was made. 'live': just now. 'away': while this tab did not pull. 'first': before this tab has
 * pulled all changes of the brand for the first time.
 */
export function whenChangeWasMade(data: BrandData): 'first' | 'live' | 'away' {
  const { at } = lastPull(data)
  if (at === undefined) return 'first'
  return data.device.clock.now() - at <= maxLiveGapMs ? 'live' : 'away'
}
