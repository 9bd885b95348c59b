import type { Device } from '#web/data/browser/device.ts'
import { openBrand } from '#web/data/store/brand-data.ts'

/** Returns the name of a member of the open brand. Null if there is no id, or if no member has the id. */
export function memberName(device: Device, userId: string | null): string | null {
  return (userId && openBrand(device).get()?.tables.memberships.get(userId)?.display_name) || null
}
