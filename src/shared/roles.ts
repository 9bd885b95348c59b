/** The roles of members in a brand (spec section 6), from the fewest to the most rights. SQL decides what each role may do. */
export const roles = ['member', 'admin', 'owner'] as const

export type Role = (typeof roles)[number]
