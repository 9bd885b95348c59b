import { type Role, roles } from '#shared/roles.ts'
import { fieldOf, textOf } from '#web/lib/read-unknown.ts'

/** The user's membership of a brand. */
export interface Membership {
  brandId: string
  name: string
  slug: string
  role: Role
  /** Set if somebody else added the user, until the user opens the brand. `by`: that member's name. Null after that member has left. */
  added?: { by: string | null }
}

/** Whether the user is an owner of a brand that they have never opened. Such an owner may leave also if there is no other owner. */
export function isUnopenedOwner({ role, added }: Pick<Membership, 'role' | 'added'>): boolean {
  return role === 'owner' && added !== undefined
}

/** Reads the membership from a server row with its brand. Empty if the user must not see the brand, or if the role is unknown. */
export function membershipRow(row: unknown): { mine: Membership; isUnopened: boolean }[] {
  const brand = fieldOf(row, 'brand')
  const mine = readMembership(row, textOf(brand, 'id'), brand)
  // The column is missing on a backend that does not record openings. There, every brand counts as opened.
  return mine ? [{ mine, isUnopened: fieldOf(row, 'opened_at') === null }] : []
}

/** Reads a membership that this device has stored. Empty if its role is unknown. */
export function storedMembership(stored: unknown): Membership[] {
  const mine = readMembership(stored, textOf(stored, 'brandId'), stored)
  const added = fieldOf(stored, 'added')
  if (!mine) return []
  return [added ? { ...mine, added: { by: textOf(added, 'by') } } : mine]
}

function readMembership(member: unknown, brandId: string | null, brand: unknown): Membership | null {
  const role = roles.find((known) => known === textOf(member, 'role'))
  if (!role || brandId === null) return null
  return { brandId, name: textOf(brand, 'name') ?? '', slug: textOf(brand, 'slug') ?? '', role }
}
