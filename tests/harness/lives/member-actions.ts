import { brandLabel } from './brand-actions.ts'
import { type Action, sessionAndBrand, judgeAttempt, affectedAccount, sessionOf } from './attempt.ts'
import {
  type Account,
  type Brand,
  endMembership,
  formerNamesReading,
  isMember,
  isOwnFormerName,
  markerOf,
  newMarker,
  type Role,
  roleOf,
  type Session,
  logAttempt,
  type World,
} from './world.ts'
import { hasChanged, isDone } from './wire.ts'

/** True if a member with the role `mine` may give the other role to a person, and may change or remove a member who has it. */
export function mayManageRole(mine: Role | null, role: Role): boolean {
  return mine === 'owner' || (mine === 'admin' && role !== 'owner')
}

/** Marks invitations by this person as lapsed if the person's role does not permit them. Called after a change of the role. */
export function markLapsedInvitations(brand: Brand, by: Account): void {
  for (const invitation of brand.invitations) {
    if (invitation.by === by && !mayManageRole(managingRole(brand.members.get(by)?.role), invitation.role))
      invitation.hasLapsed = true
  }
}

const managingRole = (role: Role | undefined): Role | null => (role === 'admin' || role === 'owner' ? role : null)

/**
 * Adds to the model a member who has not opened the brand yet. The brand's members may read the e-mail address, because one of them has
 * typed it.
 */
export function addUnopenedMember(brand: Brand, account: Account, role: Role): void {
  brand.members.set(account, { role, displayName: null, isOpened: false })
  brand.known.add(markerOf(account.email))
}

/** True if this session has no access to any brand of its account, so that a change without a filter must have no effect. */
function hasNoAccess(world: World, session: Session): boolean {
  return world.slots
    .flatMap(({ brands }) => brands)
    .every((brand) => !brand.members.has(session.account) || !isMember(session, brand))
}

/** Sends a change of memberships without a filter. It must have no effect: `judgeMemberships` checks that. */
async function changeWithoutFilter(world: World, session: Session, method: string, body?: unknown): Promise<void> {
  await world.site.api.rest(method, 'memberships', { token: session.token, ...(body === undefined ? {} : { body }) })
  logAttempt(world, `${session.name} sends ${method} /memberships without a filter`, true)
}

const hasOthers = ({ members }: Brand): boolean => members.size > 1

export const memberActions = {
  async 'add member'(world, step) {
    const found = sessionAndBrand(world, step)
    if (!found) return
    const { session, brand } = found
    const other = affectedAccount(world, step)
    const values = { p_brand_id: brand.id, p_email: other.email, p_role: step.role }
    const isAllowed = mayManageRole(roleOf(session, brand), step.role) && !brand.members.has(other) && other.isConfirmed
    const response = await world.site.api.rpc('add_brand_member_by_email', values, { token: session.token })
    const what = `${session.name} adds ${other.name} to ${brandLabel(world, brand)} as ${step.role}`
    if (judgeAttempt(world, step, { what, isAllowed, isDone: isDone(response) }))
      addUnopenedMember(brand, other, step.role)
  },

  async 'remove member'(world, step) {
    const found = sessionAndBrand(world, step, hasOthers)
    if (!found) return
    const { session, brand } = found
    const other = affectedAccount(world, step)
    if (other === session.account) return
    const role = brand.members.get(other)?.role
    const isAllowed = role !== undefined && mayManageRole(roleOf(session, brand), role)
    const path = `memberships?brand_id=eq.${brand.id}&user_id=eq.${other.id}`
    const response = await world.site.api.rest('DELETE', path, { token: session.token, withRows: true })
    const what = `${session.name} removes ${other.name} from ${brandLabel(world, brand)}`
    if (!judgeAttempt(world, step, { what, isAllowed, isDone: hasChanged(response) })) return
    endMembership(brand, other)
    markLapsedInvitations(brand, other)
  },

  async leave(world, step) {
    const session = sessionOf(world, step)
    if (session && step.flag && hasNoAccess(world, session)) return changeWithoutFilter(world, session, 'DELETE')
    const found = sessionAndBrand(world, step)
    if (!found) return
    const { brand, session: leaving } = found
    const { account } = leaving
    const isAllowed = roleOf(leaving, brand) !== null
    const path = `memberships?brand_id=eq.${brand.id}&user_id=eq.${account.id}`
    const response = await world.site.api.rest('DELETE', path, { token: leaving.token, withRows: true })
    const what = `${leaving.name} leaves ${brandLabel(world, brand)}`
    if (!judgeAttempt(world, step, { what, isAllowed, isDone: hasChanged(response) })) return
    endMembership(brand, account)
    markLapsedInvitations(brand, account)
  },

  async rename(world, step) {
    const attacker = sessionOf(world, step)
    const found = sessionAndBrand(world, step)
    if (!found) return
    const { brand, session } = found
    const displayName: string = newMarker(world, {
      what: `the display name of ${session.account.name} in a brand`,
      mayBeRead: (reader, anyLevel, from) =>
        isMember(reader, brand, anyLevel) ||
        (from === formerNamesReading && isOwnFormerName(reader, brand, session.account, displayName)),
    })
    const body = { display_name: displayName }
    if (attacker && step.flag && hasNoAccess(world, attacker))
      return changeWithoutFilter(world, attacker, 'PATCH', body)
    const path = `memberships?brand_id=eq.${brand.id}&user_id=eq.${session.account.id}`
    const response = await world.site.api.rest('PATCH', path, { token: session.token, body, withRows: true })
    const what = `${session.name} takes another name in ${brandLabel(world, brand)}`
    const isAllowed = isMember(session, brand)
    const membership = brand.members.get(session.account)
    if (judgeAttempt(world, step, { what, isAllowed, isDone: hasChanged(response) }) && membership)
      membership.displayName = displayName
  },

  async 'change role'(world, step) {
    const found = sessionAndBrand(world, step, hasOthers)
    if (!found) return
    const { session, brand } = found
    const other = affectedAccount(world, step)
    const membership = brand.members.get(other)
    const mine = roleOf(session, brand)
    const isAllowed =
      membership !== undefined &&
      other !== session.account &&
      mayManageRole(mine, membership.role) &&
      mayManageRole(mine, step.role)
    const path = `memberships?brand_id=eq.${brand.id}&user_id=eq.${other.id}`
    const sent = { token: session.token, body: { role: step.role }, withRows: true }
    if (membership?.role === step.role) return
    const response = await world.site.api.rest('PATCH', path, sent)
    const what = `${session.name} makes ${other.name} ${step.role} of ${brandLabel(world, brand)}`
    if (!judgeAttempt(world, step, { what, isAllowed, isDone: hasChanged(response) }) || !membership) return
    membership.role = step.role
    markLapsedInvitations(brand, other)
  },

  async 'hand over'(world, step) {
    const found = sessionAndBrand(world, step, hasOthers)
    if (!found) return
    const { session, brand } = found
    const other = affectedAccount(world, step)
    const [mine, theirs] = [brand.members.get(session.account), brand.members.get(other)]
    const isAllowed = roleOf(session, brand) === 'owner' && theirs !== undefined && other !== session.account
    const values = { p_brand_id: brand.id, p_user_id: other.id }
    const response = await world.site.api.rpc('hand_over_brand', values, { token: session.token })
    const what = `${session.name} hands ${brandLabel(world, brand)} over to ${other.name}`
    if (!judgeAttempt(world, step, { what, isAllowed, isDone: isDone(response) })) return
    if (theirs) theirs.role = 'owner'
    if (mine) mine.role = 'admin'
    markLapsedInvitations(brand, session.account)
  },
} satisfies Record<string, Action>
