import { type Role, roles } from '#shared/roles.ts'
import { fieldOf, textOf } from '#web/lib/read-unknown.ts'

/** A brand of the user. */
export interface Membership {
  brandId: string
  name: string
  slug: string
  role: Role
  /** Set while the user was added by somebody else and has not opened the brand. `by`: that member's name; null after they left. */
  added?: { by: string | null }
}

/** The membership in a row of the server with its brand. None where the user must not see the brand, or the role is unknown. */
export function membershipRow(row: unknown): { mine: Membership; isUnopened: boolean }[] {
  const brand = fieldOf(row, 'brand')
  const mine = membership(row, textOf(brand, 'id'), brand)
  // The column is missing on a backend without openings, where every brand counts as opened.
  return mine ? [{ mine, isUnopened: fieldOf(row, 'opened_at') === null }] : []
}

/** A membership as this device stores it. None where its role is unknown. */
export function storedMembership(stored: unknown): Membership[] {
  const mine = membership(stored, textOf(stored, 'brandId'), stored)
  const added = fieldOf(stored, 'added')
  if (!mine) return []
  return [added ? { ...mine, added: { by: textOf(added, 'by') } } : mine]
}

function membership(member: unknown, brandId: string | null, brand: unknown): Membership | null {
  const role = roles.find((known) => known === textOf(member, 'role'))
  if (!role || brandId === null) return null
  return { brandId, name: textOf(brand, 'name') ?? '', slug: textOf(brand, 'slug') ?? '', role }
}
