import { awaitMember } from './act-accounts.ts'
import { placeOf } from './act-brands.ts'
import { addUnopened, mayGive } from './act-members.ts'
import { type Act, inBrand, judge, sessionOf } from './attempt.ts'
import { readMail } from './mailbox.ts'
import { markerOf, roleOf } from './world.ts'
import { isDone } from './wire.ts'

export const invitationActs = {
  async invite(world, step) {
    const found = inBrand(world, step)
    if (!found) return
    const { session, brand } = found
    const email = world.freeAddresses[step.other % world.freeAddresses.length] ?? ''
    const known = world.accounts.find((account) => account.email === email && account.isConfirmed)
    const pending = brand.invitations.find((one) => one.email === email)
    const mine = roleOf(session, brand)
    const isAllowed =
      mayGive(mine, step.role) && (!known || !brand.members.has(known)) && (!pending || mayGive(mine, pending.role))
    const values = { p_brand_id: brand.id, p_email: email, p_role: step.role }
    const answer = await world.site.wire.rpc('invite_member', values, { token: session.token })
    const what = `${session.name} invites ${email} to ${placeOf(world, brand)} as ${step.role}`
    if (!judge(world, step, { what, isAllowed, isDone: isDone(answer) })) return
    if (known) return addUnopened(brand, known, step.role)
    if (pending) Object.assign(pending, { role: step.role, by: session.account, hasLapsed: false })
    else
      brand.invitations.push({
        id: JSON.parse(answer.text) as string,
        email,
        role: step.role,
        by: session.account,
        hasLapsed: false,
      })
    brand.invited.add(markerOf(email))
    await readMail(world)
  },

  async 'withdraw invitation'(world, step) {
    const found = inBrand(world, step)
    if (!found) return
    const { session, brand } = found
    const invitation = brand.invitations[step.which % brand.invitations.length]
    if (invitation === undefined) return
    const isAllowed = mayGive(roleOf(session, brand), invitation.role)
    const values = { p_brand_id: brand.id, p_id: invitation.id }
    const answer = await world.site.wire.rpc('withdraw_invitation', values, { token: session.token })
    const what = `${session.name} withdraws the invitation of ${invitation.email} to ${placeOf(world, brand)}`
    if (judge(world, step, { what, isAllowed, isDone: isDone(answer) }))
      brand.invitations = brand.invitations.filter((one) => one !== invitation)
  },

  /** The check of memberships finds the effect: where addresses are not confirmed, there must be none. */
  async 'accept invitations'(world, step) {
    const session = sessionOf(world, step)
    if (session === undefined) return
    awaitMember(world, session.account)
    const answer = await world.site.wire.rpc('accept_invitations', {}, { token: session.token })
    const what = `${session.name} accepts all invitations`
    judge(world, step, { what, isAllowed: true, isDone: isDone(answer) })
  },
} satisfies Record<string, Act>
