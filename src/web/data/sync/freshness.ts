import type { BrandData } from '#web/data/store/brand-data.ts'
import { observable } from '#web/lib/observable.ts'

/** A visible page asks at least every 30 s; what comes after a longer time is the news of an absence. Milliseconds. */
const absence = 45_000

const currentAt = new WeakMap<BrandData, number>()

/** The brand that this tab has pulled to the end at least once since it was opened. */
export const caughtUp = observable<BrandData | null>(null)

/** Notes that this tab has all that the server has. */
export function markCurrent(data: BrandData): void {
  currentAt.set(data, Date.now())
  caughtUp.set(data)
}

/** Whether what arrives now happened just now ('live'), while this tab was not listening ('away'), or before it was opened ('first'). */
export function freshness(data: BrandData): 'first' | 'live' | 'away' {
  const at = currentAt.get(data)
  if (at === undefined) return 'first'
  return Date.now() - at <= absence ? 'live' : 'away'
}
