import type { Role } from '#web/data/server/rows.ts'

/**
 * Returns the roles that a person with the role `mine` may give to a colleague with the role `theirs`: the same rules as in SQL. Empty if
 * none.
 */
export function rolesToGive(mine: Role, theirs: Role): readonly Role[] {
  if (mine === 'owner') return ['member', 'admin', 'owner']
  return mine === 'admin' && theirs !== 'owner' ? ['member', 'admin'] : []
}

/** Whether a person with the role `mine` may remove a colleague with the role `theirs` from the brand. */
export function mayRemove(mine: Role, theirs: Role): boolean {
  return rolesToGive(mine, theirs).length > 0
}

/** Returns the role with its article: 'an owner', 'an admin', 'a member'. */
export function roleInWords(role: Role): string {
  return role === 'member' ? 'a member' : `an ${role}`
}

/** Returns the role with a capital letter: 'Owner', 'Admin', 'Member'. */
export function roleName(role: Role): string {
  return role.charAt(0).toUpperCase() + role.slice(1)
}
