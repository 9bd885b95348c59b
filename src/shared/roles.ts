/** What a member is in a brand (spec section 6), from the least to the most rights. SQL decides what each may do. */
export const roles = ['member', 'admin', 'owner'] as const

export type Role = (typeof roles)[number]
