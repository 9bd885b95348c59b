import type { Device } from '#web/data/browser/device.ts'
import { loadMemberships, membershipsOf } from './brands.ts'

/** Returns the name of one of the user's brands. Loads the memberships if it is not among them. Undefined if the user is no member of the brand. */
export async function nameOfBrand(device: Device, brandId: string): Promise<string | undefined> {
  const find = () =>
    membershipsOf(device)
      .get()
      .memberships.find((membership) => membership.brandId === brandId)?.name
  const name = find()
  if (name !== undefined) return name
  // The user may have joined the brand a moment ago, or on another device.
  await loadMemberships(device)
  return find()
}
