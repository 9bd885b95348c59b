import { recordPossibleMemberships } from './account-actions.ts'
import { brandLabel } from './brand-actions.ts'
import { addUnopenedMember, mayManageRole } from './member-actions.ts'
import { type Action, sessionAndBrand, judgeAttempt, sessionOf } from './attempt.ts'
import { readMail } from './mailbox.ts'
import { markerOf, roleOf } from './world.ts'
import { isSuccess } from './api-client.ts'

export const invitationActions = {
  async invite(world, step) {
    const selection = sessionAndBrand(world, step)
    if (!selection) return
    const { session, brand } = selection
    const email = world.freeAddresses[step.affectedIndex % world.freeAddresses.length] ?? ''
    const invitedAccount = world.accounts.find((account) => account.email === email && account.isConfirmed)
    const pendingInvitation = brand.invitations.find((one) => one.email === email)
    const ownRole = roleOf(session, brand)
    const isAllowed =
      mayManageRole(ownRole, step.role) &&
      (!invitedAccount || !brand.members.has(invitedAccount)) &&
      (!pendingInvitation || mayManageRole(ownRole, pendingInvitation.role))
    const values = { p_brand_id: brand.id, p_email: email, p_role: step.role }
    const response = await world.site.api.rpc('invite_member', values, { token: session.token })
    const sentence = `${session.name} invites ${email} to ${brandLabel(world, brand)} as ${step.role}`
    if (!judgeAttempt(world, step, { what: sentence, isAllowed, isDone: isSuccess(response) })) return
    if (invitedAccount) return addUnopenedMember(brand, invitedAccount, step.role)
    if (pendingInvitation) Object.assign(pendingInvitation, { role: step.role, by: session.account, hasLapsed: false })
    else
      brand.invitations.push({
        id: JSON.parse(response.text) as string,
        email,
        role: step.role,
        by: session.account,
        hasLapsed: false,
      })
    brand.adminVisibleAddresses.add(markerOf(email))
    await readMail(world)
  },

  async 'withdraw invitation'(world, step) {
    const selection = sessionAndBrand(world, step)
    if (!selection) return
    const { session, brand } = selection
    const invitation = brand.invitations[step.itemIndex % brand.invitations.length]
    if (invitation === undefined) return
    const isAllowed = mayManageRole(roleOf(session, brand), invitation.role)
    const values = { p_brand_id: brand.id, p_id: invitation.id }
    const response = await world.site.api.rpc('withdraw_invitation', values, { token: session.token })
    const sentence = `${session.name} withdraws the invitation of ${invitation.email} to ${brandLabel(world, brand)}`
    if (judgeAttempt(world, step, { what: sentence, isAllowed, isDone: isSuccess(response) }))
      brand.invitations = brand.invitations.filter((one) => one !== invitation)
  },

  /** Does not check the effect, because `judgeMemberships` checks it. An account whose e-mail address is not confirmed must not become a member. */
  async 'accept invitations'(world, step) {
    const session = sessionOf(world, step)
    if (session === undefined) return
    recordPossibleMemberships(world, session.account)
    const response = await world.site.api.rpc('accept_invitations', {}, { token: session.token })
    const sentence = `${session.name} accepts all invitations`
    judgeAttempt(world, step, { what: sentence, isAllowed: true, isDone: isSuccess(response) })
  },
} satisfies Record<string, Action>
