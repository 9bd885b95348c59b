import { placeOf } from './act-brands.ts'
import { type Act, inBrand, judge, affectedAccount, sessionOf } from './attempt.ts'
import {
  type Account,
  type Brand,
  isMember,
  markerOf,
  newMarker,
  type Role,
  roleOf,
  type Session,
  tell,
  type World,
} from './world.ts'
import { hasChanged, isDone } from './wire.ts'

/** Whether a member with this role may give, remove or change that role. */
export function mayGive(mine: Role | null, role: Role): boolean {
  return mine === 'owner' || (mine === 'admin' && role !== 'owner')
}

/** After a change of a role: invitations by this person end if the right has ended. */
export function lapse(brand: Brand, by: Account): void {
  for (const invitation of brand.invitations) {
    if (invitation.by === by && !mayGive(leading(brand.members.get(by)?.role), invitation.role))
      invitation.hasLapsed = true
  }
}

const leading = (role: Role | undefined): Role | null => (role === 'admin' || role === 'owner' ? role : null)

/** Adds a person who has not opened the brand yet; the brand knows the typed address. */
export function addUnopened(brand: Brand, account: Account, role: Role): void {
  brand.members.set(account, { role, displayName: null, isOpened: false })
  brand.known.add(markerOf(account.email))
}

/** Whether a change without a filter could only affect data that is closed to this session. */
function isShutOut(world: World, session: Session): boolean {
  return world.slots
    .flatMap(({ lives }) => lives)
    .every((brand) => !brand.members.has(session.account) || !isMember(session, brand))
}

/** Sends a change without a filter, which must have no effect; the check of memberships finds an effect. */
async function withoutFilter(world: World, session: Session, method: string, body?: unknown): Promise<void> {
  await world.site.wire.rest(method, 'memberships', { token: session.token, ...(body === undefined ? {} : { body }) })
  tell(world, `${session.name} sends ${method} /memberships without a filter`, true)
}

const hasOthers = ({ members }: Brand): boolean => members.size > 1

export const memberActs = {
  async 'add member'(world, step) {
    const found = inBrand(world, step)
    if (!found) return
    const { session, brand } = found
    const other = affectedAccount(world, step)
    const values = { p_brand_id: brand.id, p_email: other.email, p_role: step.role }
    const isAllowed = mayGive(roleOf(session, brand), step.role) && !brand.members.has(other) && other.isConfirmed
    const answer = await world.site.wire.rpc('add_brand_member_by_email', values, { token: session.token })
    const what = `${session.name} adds ${other.name} to ${placeOf(world, brand)} as ${step.role}`
    if (judge(world, step, { what, isAllowed, isDone: isDone(answer) })) addUnopened(brand, other, step.role)
  },

  async 'remove member'(world, step) {
    const found = inBrand(world, step, hasOthers)
    if (!found) return
    const { session, brand } = found
    const other = affectedAccount(world, step)
    if (other === session.account) return
    const role = brand.members.get(other)?.role
    const isAllowed = role !== undefined && mayGive(roleOf(session, brand), role)
    const path = `memberships?brand_id=eq.${brand.id}&user_id=eq.${other.id}`
    const answer = await world.site.wire.rest('DELETE', path, { token: session.token, withRows: true })
    const what = `${session.name} removes ${other.name} from ${placeOf(world, brand)}`
    if (!judge(world, step, { what, isAllowed, isDone: hasChanged(answer) })) return
    brand.members.delete(other)
    brand.awaited.delete(other)
    lapse(brand, other)
  },

  async leave(world, step) {
    const session = sessionOf(world, step)
    if (session && step.flag && isShutOut(world, session)) return withoutFilter(world, session, 'DELETE')
    const found = inBrand(world, step)
    if (!found) return
    const { brand, session: leaving } = found
    const { account } = leaving
    const isAllowed = roleOf(leaving, brand) !== null
    const path = `memberships?brand_id=eq.${brand.id}&user_id=eq.${account.id}`
    const answer = await world.site.wire.rest('DELETE', path, { token: leaving.token, withRows: true })
    const what = `${leaving.name} leaves ${placeOf(world, brand)}`
    if (!judge(world, step, { what, isAllowed, isDone: hasChanged(answer) })) return
    brand.members.delete(account)
    brand.awaited.delete(account)
    lapse(brand, account)
  },

  async rename(world, step) {
    const attacker = sessionOf(world, step)
    const found = inBrand(world, step)
    if (!found) return
    const { brand, session } = found
    const displayName = newMarker(world, {
      what: `what ${session.account.name} is called in a brand`,
      mayBeRead: (reader, anyLevel) => isMember(reader, brand, anyLevel),
    })
    const body = { display_name: displayName }
    if (attacker && step.flag && isShutOut(world, attacker)) return withoutFilter(world, attacker, 'PATCH', body)
    const path = `memberships?brand_id=eq.${brand.id}&user_id=eq.${session.account.id}`
    const answer = await world.site.wire.rest('PATCH', path, { token: session.token, body, withRows: true })
    const what = `${session.name} takes another name in ${placeOf(world, brand)}`
    const isAllowed = isMember(session, brand)
    const membership = brand.members.get(session.account)
    if (judge(world, step, { what, isAllowed, isDone: hasChanged(answer) }) && membership)
      membership.displayName = displayName
  },

  async 'change role'(world, step) {
    const found = inBrand(world, step, hasOthers)
    if (!found) return
    const { session, brand } = found
    const other = affectedAccount(world, step)
    const membership = brand.members.get(other)
    const mine = roleOf(session, brand)
    const isAllowed =
      membership !== undefined &&
      other !== session.account &&
      mayGive(mine, membership.role) &&
      mayGive(mine, step.role)
    const path = `memberships?brand_id=eq.${brand.id}&user_id=eq.${other.id}`
    const sent = { token: session.token, body: { role: step.role }, withRows: true }
    if (membership?.role === step.role) return
    const answer = await world.site.wire.rest('PATCH', path, sent)
    const what = `${session.name} makes ${other.name} ${step.role} of ${placeOf(world, brand)}`
    if (!judge(world, step, { what, isAllowed, isDone: hasChanged(answer) }) || !membership) return
    membership.role = step.role
    lapse(brand, other)
  },

  async 'hand over'(world, step) {
    const found = inBrand(world, step, hasOthers)
    if (!found) return
    const { session, brand } = found
    const other = affectedAccount(world, step)
    const [mine, theirs] = [brand.members.get(session.account), brand.members.get(other)]
    const isAllowed = roleOf(session, brand) === 'owner' && theirs !== undefined && other !== session.account
    const values = { p_brand_id: brand.id, p_user_id: other.id }
    const answer = await world.site.wire.rpc('hand_over_brand', values, { token: session.token })
    const what = `${session.name} hands ${placeOf(world, brand)} over to ${other.name}`
    if (!judge(world, step, { what, isAllowed, isDone: isDone(answer) })) return
    if (theirs) theirs.role = 'owner'
    if (mine) mine.role = 'admin'
    lapse(brand, session.account)
  },
} satisfies Record<string, Act>
