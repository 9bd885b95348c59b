import type { Role } from '#web/data/server/rows.ts'

/**
 * Returns the roles that a person with the role `myRole` may give to a colleague with the role `theirRole`: the same rules as in SQL. Empty if
 * none.
 */
export function rolesToGive(myRole: Role, theirRole: Role): readonly Role[] {
  if (myRole === 'owner') return ['member', 'admin', 'owner']
  return myRole === 'admin' && theirRole !== 'owner' ? ['member', 'admin'] : []
}

/** Whether a person with the role `myRole` may remove a colleague with the role `theirRole` from the brand. */
export function mayRemove(myRole: Role, theirRole: Role): boolean {
  return rolesToGive(myRole, theirRole).length > 0
}

/** Returns the role with its article: 'an owner', 'an admin', 'a member'. */
export function roleInWords(role: Role): string {
  return role === 'member' ? 'a member' : `an ${role}`
}

/** Returns the role with a capital letter: 'Owner', 'Admin', 'Member'. */
export function roleName(role: Role): string {
  return role.charAt(0).toUpperCase() + role.slice(1)
}
