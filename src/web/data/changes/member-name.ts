import type { Device } from '#web/data/browser/device.ts'
import { openBrand } from '#web/data/store/brand-data.ts'

/** The name of a member of the open brand; null without an id, and for an id that is no member's. */
export function memberName(device: Device, userId: string | null): string | null {
  return (userId && openBrand(device).get()?.tables.memberships.get(userId)?.display_name) || null
}
