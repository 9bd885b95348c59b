import type { Device } from '#web/data/browser/device.ts'
import { activeBrandState } from './active-brand.ts'
import { askServer, noAnswerMessage } from '#web/data/server/ask-server.ts'
import { changeOnline } from '#web/data/session/online-only.ts'
import { onlineValue } from '#web/data/session/online-value.ts'
import type { Outcome } from '#web/data/session/outcome.ts'
import { reloadMembers } from './members.ts'
import { RpcError } from '#web/data/server/rpc.ts'

/** An invitation of an email address to the active brand that was not accepted yet. */
export interface Invitation {
  id: string
  email: string
  role: 'member' | 'admin' | 'owner'
  invited_by: string | null
  /** Null if no email was sent, because the inviter passes on the link instead. */
  sent_at: string | null
  expires_at: string
}

/** The pending invitations of the active brand, newest first. Empty for users who are not admins or owners. */
export const invitations = onlineValue<Invitation[]>(async (device) => {
  // The brand is read before the client's code is loaded, because the active brand may change meanwhile.
  const brand = brandIdOf(device)
  const { data, error, status } = await askServer(device, (server) =>
    server
      .from('invitations')
      .select('id,email,role,invited_by,sent_at,expires_at')
      .eq('brand_id', brand)
      .order('created_at', { ascending: false }),
  )
  if (error) throw new RpcError(status === 0 ? noAnswerMessage : error.message, status, error.code || null)
  return data
}, activeBrandState)

/** The result of an invitation. `added`: the person had an account and is a member now. */
export type InvitationResult = { status: 'sent' } | { status: 'added' } | Extract<Outcome, { status: 'refused' }>

/** Invites an email address. A person with an account becomes a member at once. Refusals: NOT_AUTHORIZED, ALREADY_MEMBER, INVITATIONS_OFF. */
export async function inviteMember(device: Device, email: string, role: 'member' | 'admin'): Promise<InvitationResult> {
  const args = { p_brand_id: brandIdOf(device), p_email: email.trim(), p_role: role }
  // The server answers with the id of the invitation, or with null if the person is a member now.
  let invitationId: unknown
  const outcome = await reloadAfter(
    device,
    changeOnline(
      device,
      brandIdOf(device),
      (server) => server.rpc('invite_member', args),
      'call',
      (id) => (invitationId = id),
    ),
  )
  if (outcome.status === 'refused') return outcome
  if (typeof invitationId === 'string') return { status: 'sent' }
  await reloadMembers(device)
  return { status: 'added' }
}

/** Sends the email again. The invitation is then valid for another seven days. */
export function resendInvitation(device: Device, id: string): Promise<Outcome> {
  const args = { p_brand_id: brandIdOf(device), p_id: id }
  return reloadAfter(
    device,
    changeOnline(device, id, (server) => server.rpc('resend_invitation', args), 'call'),
  )
}

/** Withdraws an invitation. After that its link is invalid. */
export function withdrawInvitation(device: Device, id: string): Promise<Outcome> {
  const args = { p_brand_id: brandIdOf(device), p_id: id }
  return reloadAfter(
    device,
    changeOnline(device, id, (server) => server.rpc('withdraw_invitation', args), 'call'),
  )
}

function brandIdOf(device: Device): string {
  return activeBrandState(device).get().brandId ?? ''
}

async function reloadAfter(device: Device, change: Promise<Outcome>): Promise<Outcome> {
  const outcome = await change
  await invitations(device).reload()
  return outcome
}
