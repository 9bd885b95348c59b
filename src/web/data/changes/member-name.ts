import { type Device } from '#web/data/browser/device.ts'
import { openBrand } from '#web/data/store/brand-data.ts'

/** What a member of the open brand is called; null for nobody, and for somebody who is not one. */
export function memberName(device: Device, userId: string | null): string | null {
  return (userId && openBrand(device).get()?.tables.memberships.get(userId)?.display_name) || null
}
