import { roleName } from './member-roles.ts'

type InvitedRole = 'member' | 'admin'

/** Returns the role of the pending invitation of this email address, or null if there is none. */
export function pendingRole(
  invited: readonly { email: string; role: 'member' | 'admin' | 'owner' }[],
  email: string,
): InvitedRole | null {
  const role = invited.find((invitation) => invitation.email.toLowerCase() === email.trim().toLowerCase())?.role
  return role === 'member' || role === 'admin' ? role : null
}

/** Returns what the offer says after the email address. `pending`: the role of a pending invitation of this address. */
export function offerWords(role: InvitedRole, pending: InvitedRole | null): string {
  if (pending === null) return `has no account yet. Invite them as ${roleName(role)}?`
  const words = `is already invited as ${roleName(pending)}.`
  return pending === role ? `${words} Invite them again?` : `${words} Invite them as ${roleName(role)} instead?`
}
