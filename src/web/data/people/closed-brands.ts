import type { Device } from '#web/data/browser/device.ts'
import { loadMemberships, readMemberships } from './brands.ts'
import type { Membership } from './membership.ts'
import { type ClosedBrand, closedBrands } from './second-factor-requirement.ts'

/**
 * Returns the closed brands without those that are open by now. The two lists come in two answers. The membership in a closed brand is hidden
 * from the user, so a brand in both lists is open, and `closed` is the older answer.
 */
export function withoutMemberships(
  closed: readonly ClosedBrand[] | null,
  memberships: readonly Pick<Membership, 'brandId'>[],
): readonly ClosedBrand[] {
  const openIds = new Set(memberships.map(({ brandId }) => brandId))
  return closed?.filter(({ id }) => !openIds.has(id)) ?? []
}

/**
 * Loads the user's memberships and closed brands again. For a user without a membership, the memberships come first: otherwise a brand that has
 * opened meanwhile would be in neither list for a moment, and the user would be asked to create a brand. For others, the closed brands come
 * first, so that a brand that has closed meanwhile does not vanish; one that has opened is in neither list until the memberships are loaded.
 */
export async function reloadBrands(device: Device): Promise<void> {
  const { length } = await readMemberships(device)
  if (length > 0) await closedBrands(device).reload()
  await loadMemberships(device)
  if (length === 0) await closedBrands(device).reload()
}
