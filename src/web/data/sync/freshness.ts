import { devicePart } from '#web/data/browser/device.ts'
import { perBrand } from '#web/data/store/per-brand.ts'
import type { BrandData } from '#web/data/store/brand-data.ts'
import { observable } from '#web/lib/observable.ts'

/** A visible page asks at least every 30 s; what comes after a longer time is the news of an absence. Milliseconds. */
const absence = 45_000

const current = perBrand((): { at?: number } => ({}))

/** The brand that this tab has pulled to the end at least once since it was opened. */
export const caughtUp = devicePart(() => observable<BrandData | null>(null))

/** Notes that this tab has all that the server has. */
export function markCurrent(data: BrandData): void {
  current(data).at = data.device.clock.now()
  caughtUp(data.device).set(data)
}

/** Whether what arrives now happened just now ('live'), while this tab was not listening ('away'), or before it was opened ('first'). */
export function freshness(data: BrandData): 'first' | 'live' | 'away' {
  const { at } = current(data)
  if (at === undefined) return 'first'
  return data.device.clock.now() - at <= absence ? 'live' : 'away'
}
