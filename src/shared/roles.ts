/** What a member is in a brand (spec section 6), from the least to the most rights. SQL decides what each may do. */
export const roles = ['member', 'admin', 'owner'] as const

export type Role = (typeof roles)[number]

/** The roles that the interface offers for an invite (spec section 6). */
export const invitedRoles = ['member', 'admin'] as const satisfies readonly Role[]

/** Whether this role may add members and change stages and tags. */
export function isLeading(role: Role): boolean {
  return role !== 'member'
}
