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
  nameAtJoining,
  newMarker,
  type Role,
  roleOf,
  type Session,
  logAttempt,
  type World,
} from './world.ts'
import { hasRows, isSuccess } from './api-client.ts'

/** True if a member with the role `ownRole` may give `role` to a person, and may change or remove a member who has it. */
export function mayManageRole(ownRole: Role | null, role: Role): boolean {
  return ownRole === 'owner' || (ownRole === 'admin' && role !== 'owner')
}

/** Marks invitations by this person as lapsed if the person's role does not permit them. Called when the role changes or the membership ends. */
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
  brand.members.set(account, { role, displayName: nameAtJoining(brand, account), isOpened: false })
  brand.memberVisibleAddresses.add(markerOf(account.email))
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
    const selection = sessionAndBrand(world, step)
    if (!selection) return
    const { session, brand } = selection
    const affected = affectedAccount(world, step)
    const values = { p_brand_id: brand.id, p_email: affected.email, p_role: step.role }
    const isAllowed =
      mayManageRole(roleOf(session, brand), step.role) && !brand.members.has(affected) && affected.isConfirmed
    const response = await world.site.api.rpc('add_brand_member_by_email', values, { token: session.token })
    const sentence = `${session.name} adds ${affected.name} to ${brandLabel(world, brand)} as ${step.role}`
    if (judgeAttempt(world, step, { what: sentence, isAllowed, isDone: isSuccess(response) }))
      addUnopenedMember(brand, affected, step.role)
  },

  async 'remove member'(world, step) {
    const selection = sessionAndBrand(world, step, hasOthers)
    if (!selection) return
    const { session, brand } = selection
    const affected = affectedAccount(world, step)
    if (affected === session.account) return
    const role = brand.members.get(affected)?.role
    const isAllowed = role !== undefined && mayManageRole(roleOf(session, brand), role)
    const path = `memberships?brand_id=eq.${brand.id}&user_id=eq.${affected.id}`
    const response = await world.site.api.rest('DELETE', path, { token: session.token, withRows: true })
    const sentence = `${session.name} removes ${affected.name} from ${brandLabel(world, brand)}`
    if (!judgeAttempt(world, step, { what: sentence, isAllowed, isDone: hasRows(response) })) return
    endMembership(brand, affected)
    markLapsedInvitations(brand, affected)
  },

  async leave(world, step) {
    const session = sessionOf(world, step)
    if (session && step.isVariant && hasNoAccess(world, session)) return changeWithoutFilter(world, session, 'DELETE')
    const selection = sessionAndBrand(world, step)
    if (!selection) return
    const { brand, session: leaving } = selection
    const { account } = leaving
    const isAllowed = roleOf(leaving, brand) !== null
    const path = `memberships?brand_id=eq.${brand.id}&user_id=eq.${account.id}`
    const response = await world.site.api.rest('DELETE', path, { token: leaving.token, withRows: true })
    const sentence = `${leaving.name} leaves ${brandLabel(world, brand)}`
    if (!judgeAttempt(world, step, { what: sentence, isAllowed, isDone: hasRows(response) })) return
    endMembership(brand, account)
    markLapsedInvitations(brand, account)
  },

  async rename(world, step) {
    const attacker = sessionOf(world, step)
    const selection = sessionAndBrand(world, step)
    if (!selection) return
    const { brand, session } = selection
    const displayName: string = newMarker(world, {
      what: `the display name of ${session.account.name} in a brand`,
      mayBeRead: (reader, anyLevel, from) =>
        isMember(reader, brand, anyLevel) ||
        (from === formerNamesReading && isOwnFormerName(reader, brand, session.account, displayName)),
    })
    const body = { display_name: displayName }
    if (attacker && step.isVariant && hasNoAccess(world, attacker))
      return changeWithoutFilter(world, attacker, 'PATCH', body)
    const path = `memberships?brand_id=eq.${brand.id}&user_id=eq.${session.account.id}`
    const response = await world.site.api.rest('PATCH', path, { token: session.token, body, withRows: true })
    const sentence = `${session.name} takes another name in ${brandLabel(world, brand)}`
    const isAllowed = isMember(session, brand)
    const membership = brand.members.get(session.account)
    if (judgeAttempt(world, step, { what: sentence, isAllowed, isDone: hasRows(response) }) && membership)
      membership.displayName = displayName
  },

  async 'change role'(world, step) {
    const selection = sessionAndBrand(world, step, hasOthers)
    if (!selection) return
    const { session, brand } = selection
    const affected = affectedAccount(world, step)
    const membership = brand.members.get(affected)
    const ownRole = roleOf(session, brand)
    const isAllowed =
      membership !== undefined &&
      affected !== session.account &&
      mayManageRole(ownRole, membership.role) &&
      mayManageRole(ownRole, step.role)
    const path = `memberships?brand_id=eq.${brand.id}&user_id=eq.${affected.id}`
    const options = { token: session.token, body: { role: step.role }, withRows: true }
    if (membership?.role === step.role) return
    const response = await world.site.api.rest('PATCH', path, options)
    const sentence = `${session.name} makes ${affected.name} ${step.role} of ${brandLabel(world, brand)}`
    if (!judgeAttempt(world, step, { what: sentence, isAllowed, isDone: hasRows(response) }) || !membership) return
    membership.role = step.role
    markLapsedInvitations(brand, affected)
  },

  async 'hand over'(world, step) {
    const selection = sessionAndBrand(world, step, hasOthers)
    if (!selection) return
    const { session, brand } = selection
    const affected = affectedAccount(world, step)
    const [ownMembership, affectedMembership] = [brand.members.get(session.account), brand.members.get(affected)]
    const isAllowed =
      roleOf(session, brand) === 'owner' && affectedMembership !== undefined && affected !== session.account
    const values = { p_brand_id: brand.id, p_user_id: affected.id }
    const response = await world.site.api.rpc('hand_over_brand', values, { token: session.token })
    const sentence = `${session.name} hands ${brandLabel(world, brand)} over to ${affected.name}`
    if (!judgeAttempt(world, step, { what: sentence, isAllowed, isDone: isSuccess(response) })) return
    if (affectedMembership) affectedMembership.role = 'owner'
    if (ownMembership) ownMembership.role = 'admin'
    markLapsedInvitations(brand, session.account)
  },
} satisfies Record<string, Action>
